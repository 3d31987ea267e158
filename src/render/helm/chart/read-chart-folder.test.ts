import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFiles } from '../../../../testing/write-files.ts'
import { readChartFolder } from './read-chart-folder.ts'

describe('a chart folder', () => {
  let root: string
  let chart: string

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-chart-'))
    chart = join(root, 'demo')
    await write('demo/Chart.yaml', 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  async function write(path: string, text: string): Promise<void> {
    await writeFiles(root, { [path]: text })
  }

  async function names(): Promise<string[]> {
    return (await readChartFolder(chart)).raw.map(({ name }) => name)
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

  it('follows links inside of itself and none that lead out', async () => {
    await write('demo/files/real.txt', 'x')
    await symlink('files/real.txt', join(chart, 'linked.txt'))
    await symlink('files', join(chart, 'linked'))
    expect(await names()).toEqual(['Chart.yaml', 'files/real.txt', 'linked/real.txt', 'linked.txt'])

    await write('outside.txt', 'secret')
    await symlink('../outside.txt', join(chart, 'Chart.lock'))
    await expect(readChartFolder(chart)).rejects.toMatchObject({
      code: 'chart.refused',
      message: 'Chart.lock links out of the chart',
    })
    const chartWithRoot = await readChartFolder(chart, { linkRoot: root }).catch((error: Error) => error.message)
    expect(chartWithRoot).toContain('cannot load Chart.lock')
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

  it('has the caps of an archive', async () => {
    await write('demo/big.txt', 'x'.repeat(5000))
    await expect(readChartFolder(chart, { maxFileBytes: 4999 })).rejects.toMatchObject({ code: 'input.too-large' })
    await expect(readChartFolder(chart, { maxEntries: 1 })).rejects.toMatchObject({ code: 'input.too-large' })
  })

  it('that is not there is said to be missing', async () => {
    await expect(readChartFolder(join(root, 'no'))).rejects.toMatchObject({ code: 'file.not-found' })
  })
})
