import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { silentLog } from '../../../core/index.ts'
import type { Chart } from './chart.ts'
import { readChartFolder, type ReadFolderOptions } from './read-chart-folder.ts'

describe('a chart folder', () => {
  let root: string
  let chart: string
  let warnings: string[]

  beforeEach(async () => {
    warnings = []
    root = await mkdtemp(join(tmpdir(), 'lading-chart-'))
    chart = join(root, 'demo')
    await write('demo/Chart.yaml', 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function write(path: string, text: string): Promise<void> {
    await writeFiles(root, { [path]: text })
  }

  async function names(): Promise<string[]> {
    return (await read()).raw.map(({ name }) => name)
  }

  function read(options: ReadFolderOptions = {}): Promise<Chart> {
    return readChartFolder(chart, { ...options, log: { ...silentLog, warn: (message) => void warnings.push(message) } })
  }

  it('leaves out what .helmignore names, and dot files of templates', async () => {
    await write('demo/.helmignore', '# comment\n*.bak\n/top.txt\nsecret/\ndocs/*.md\n')
    for (const path of ['a.bak', 'deep/b.bak', 'top.txt', 'deep/top.txt', 'secret/x', 'docs/a.md', 'docs/a.txt']) {
      await write(`demo/${path}`, 'x')
    }
    await write('demo/templates/.hidden.yaml', 'x')
    await write('demo/templates/seen.yaml', 'x')
    expect(await names()).toEqual(['.helmignore', 'Chart.yaml', 'deep/top.txt', 'docs/a.txt', 'templates/seen.yaml'])
  })

  it('refuses patterns that Helm does not know', async () => {
    await write('demo/.helmignore', 'a/**/b\n')
    await expect(readChartFolder(chart)).rejects.toMatchObject({ code: 'chart.invalid' })
    await write('demo/.helmignore', '[z-\n')
    await expect(readChartFolder(chart)).rejects.toMatchObject({ code: 'chart.invalid' })
  })

  it('follows links inside of itself, without a warning', async () => {
    await write('demo/files/real.txt', 'x')
    await symlink('files/real.txt', join(chart, 'linked.txt'))
    await symlink('files', join(chart, 'linked'))
    expect(await names()).toEqual(['Chart.yaml', 'files/real.txt', 'linked/real.txt', 'linked.txt'])
    expect(warnings).toEqual([])
  })

  it('follows a link to a chart beside it, with a warning', async () => {
    await write('crds/Chart.yaml', 'apiVersion: v2\nname: crds\nversion: 2.0.0\n')
    await mkdir(join(chart, 'charts'))
    await symlink('../../crds', join(chart, 'charts', 'crds'))
    const { dependencies } = await read()
    expect(dependencies.map(({ metadata }) => metadata.name)).toEqual(['crds'])
    expect(warnings).toEqual([expect.stringContaining('charts/crds is a symlink that leads out of the chart')])
  })

  it('refuses a link to what stands beside it and is no chart, unless all links are followed', async () => {
    await write('notes/private.txt', 'secret')
    await symlink('../notes/private.txt', join(chart, 'README.md'))
    await expect(read()).rejects.toMatchObject({
      code: 'chart.refused',
      message: expect.stringContaining('--follow-links') as string,
    })
    expect((await read({ followLinks: true })).raw.map(({ name }) => name)).toContain('README.md')
    expect(warnings).toHaveLength(1)
  })

  it('follows links inside of the surrounding repository, never into its .git nor out of it', async () => {
    await write('repository/.git/config', 'url = https://me:secret@example.com')
    await write('repository/shared/values.yaml', 'a: 1\n')
    await write('repository/deep/charts/demo/Chart.yaml', 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
    chart = join(root, 'repository/deep/charts/demo')
    await symlink('../../../shared/values.yaml', join(chart, 'values.yaml'))
    expect((await read()).values).toEqual({ a: 1 })
    for (const target of ['../../../.git/config', '../../../../demo/Chart.yaml']) {
      await symlink(target, join(chart, 'link.txt'))
      await expect(read()).rejects.toMatchObject({ code: 'chart.refused' })
      await rm(join(chart, 'link.txt'))
    }
  })

  it('does not look at the target of a link that .helmignore leaves out', async () => {
    await write('outside.txt', 'x')
    await write('demo/.helmignore', 'link.txt\n')
    await symlink('../outside.txt', join(chart, 'link.txt'))
    expect(await names()).toEqual(['.helmignore', 'Chart.yaml'])
  })

  it('refuses two charts that link to each other', async () => {
    await write('other/Chart.yaml', 'apiVersion: v2\nname: other\nversion: 1.0.0\n')
    await mkdir(join(chart, 'charts'))
    await mkdir(join(root, 'other/charts'))
    await symlink('../../other', join(chart, 'charts/other'))
    await symlink('../../demo', join(root, 'other/charts/demo'))
    await expect(read()).rejects.toMatchObject({
      code: 'chart.refused',
      message: expect.stringContaining('is a link to a folder that contains it') as string,
    })
  })

  it('refuses links that go in circles, or nowhere, and what is neither file nor folder', async () => {
    await mkdir(join(chart, 'a'))
    await symlink('..', join(chart, 'a', 'up'))
    await expect(readChartFolder(chart)).rejects.toMatchObject({ code: 'chart.refused' })
    await rm(join(chart, 'a'), { recursive: true })
    await symlink('gone', join(chart, 'dangling'))
    await expect(readChartFolder(chart)).rejects.toMatchObject({ message: 'dangling is a link to nothing' })
    await rm(join(chart, 'dangling'))
    await symlink('/dev/zero', join(chart, 'zero'))
    await expect(readChartFolder(chart)).rejects.toMatchObject({ code: 'chart.refused' })
  })

  it('refuses links that multiply what is below them', async () => {
    const chain = async (length: number): Promise<void> => {
      for (let at = 0; at <= length; at++) await mkdir(join(chart, `d${at}`))
      for (let at = 0; at < length; at++) {
        for (const name of ['a', 'b']) await symlink(`../d${at + 1}`, join(chart, `d${at}`, name))
      }
    }
    await chain(31)
    await expect(readChartFolder(chart)).rejects.toMatchObject({
      code: 'chart.refused',
      message: `d0/${'a/'.repeat(16)}a is a symlink below 16 others: so many are not followed`,
    })
    for (let at = 0; at <= 31; at++) await rm(join(chart, `d${at}`), { recursive: true })
    await chain(15)
    await expect(readChartFolder(chart, { maxEntries: 2000 })).rejects.toMatchObject({
      code: 'input.too-large',
      message: 'the chart has more than 2000 files and folders',
    })
  })

  it('has the caps of an archive', async () => {
    await write('demo/big.txt', 'x'.repeat(5000))
    await expect(readChartFolder(chart, { maxFileBytes: 4999 })).rejects.toMatchObject({ code: 'input.too-large' })
    await expect(readChartFolder(chart, { maxEntries: 1 })).rejects.toMatchObject({ code: 'input.too-large' })
  })

  it('that is not there is said to be missing', async () => {
    await expect(readChartFolder(join(root, 'no'))).rejects.toMatchObject({ code: 'file.not-found' })
  })
})
