import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildKustomization, type ChartRequest, folderTree } from '../index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kustomize-tree-'))
  mkdirSync(join(root, 'tree/base'), { recursive: true })
  writeFileSync(join(root, 'tree/base/kustomization.yaml'), 'resources: [a.yaml]')
  writeFileSync(join(root, 'tree/base/a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}')
  writeFileSync(join(root, 'secret.yaml'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: outside}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const build = () => buildKustomization(folderTree(join(root, 'tree')), 'base')

describe('a folder as a tree', () => {
  it('follows links inside of it', () => {
    rmSync(join(root, 'tree/base/a.yaml'))
    writeFileSync(join(root, 'tree/base/real.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: real}')
    symlinkSync('real.yaml', join(root, 'tree/base/a.yaml'))
    expect(build()).toMatchObject([{ metadata: { name: 'real' } }])
  })

  it('refuses links that lead out, to a file or to a folder', () => {
    rmSync(join(root, 'tree/base/a.yaml'))
    symlinkSync(join(root, 'secret.yaml'), join(root, 'tree/base/a.yaml'))
    expect(build).toThrow(expect.objectContaining({ code: 'kustomize.refused' }))
    rmSync(join(root, 'tree/base/a.yaml'))
    symlinkSync(root, join(root, 'tree/base/a.yaml'))
    expect(build).toThrow(expect.objectContaining({ code: 'kustomize.refused' }))
  })

  it('lets a chart of helmCharts link to a chart beside it, but not out of the kustomization, nor in a circle', () => {
    const charts = join(root, 'tree/base/charts')
    mkdirSync(join(charts, 'web/charts'), { recursive: true })
    mkdirSync(join(charts, 'crds'))
    writeFileSync(join(charts, 'web/values.yaml'), '')
    writeFileSync(join(charts, 'crds/Chart.yaml'), 'name: crds')
    writeFileSync(join(root, 'tree/base/kustomization.yaml'), 'helmCharts: [{name: web}]')
    const asked: string[][] = []
    const inflateChart = ({ files }: ChartRequest) => (asked.push([...files.keys()]), '')
    const inflate = () => buildKustomization(folderTree(root), 'tree/base', { enableHelm: true, inflateChart })
    symlinkSync('../../crds', join(charts, 'web/charts/crds'))
    inflate()
    expect(asked).toEqual([['charts/crds/Chart.yaml', 'values.yaml']])
    symlinkSync('../../../../secret.yaml', join(charts, 'web/secret.yaml'))
    expect(inflate).toThrow(expect.objectContaining({ code: 'kustomize.refused' }))
    rmSync(join(charts, 'web/secret.yaml'))
    symlinkSync('../web', join(charts, 'crds/web'))
    expect(inflate).toThrow(/is a link to a folder that contains it/)
  })

  it('refuses a link that leads to itself, and what is no regular file', () => {
    rmSync(join(root, 'tree/base/a.yaml'))
    symlinkSync('a.yaml', join(root, 'tree/base/a.yaml'))
    expect(build).toThrow(expect.objectContaining({ code: 'file.unreadable' }))
    rmSync(join(root, 'tree/base/a.yaml'))
    symlinkSync('/dev/zero', join(root, 'tree/base/a.yaml'))
    expect(build).toThrow(expect.objectContaining({ code: 'kustomize.refused' }))
  })

  it('refuses a file of 100 MB without reading it', () => {
    truncateSync(join(root, 'tree/base/a.yaml'), 100 * 1024 * 1024)
    expect(build).toThrow(expect.objectContaining({ code: 'input.too-large' }))
  })

  it('says which folder is not there', () => {
    expect(() => folderTree(join(root, 'gone'))).toThrow(expect.objectContaining({ code: 'file.not-found' }))
  })
})
