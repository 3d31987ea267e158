import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root, exclude: ['docs/reference'] })]

describe('the documentation', () => {
  it.each(pages)('%s names only files and folders that exist', (page) => {
    const prose = readPage(page).replaceAll(/^```[^]*?^```$/gm, '')
    const named = prose.matchAll(/(?<![\w./-])(?:src|e2e|scripts|soak|testbed|bench|examples)\/[\w./*-]*[\w/*]/g)
    const missing = [...named].map(([path]) => path).filter((path) => !isThere(path))
    expect(missing).toEqual([])
  })

  it.each(pages)('%s links only to pages that exist', (page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '')
    const local = links
      .filter((target) => !/^(?:https?:|#|mailto:)/.test(target))
      .map((target) => target.split('#')[0] ?? '')
    expect(local.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })

  it('CONTRIBUTING.md walks from a command to its request in ten steps over at most 25 files', () => {
    const walk = readPage('CONTRIBUTING.md').split('\n## From a command to a request\n')[1]?.split('\n## ')[0] ?? ''
    const files = new Set([...walk.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path))
    expect(walk.match(/^\d+\. /gm)).toHaveLength(10)
    expect(files.size).toBeGreaterThan(10)
    expect(files.size).toBeLessThanOrEqual(25)
    expect([...files].filter((path) => !path.endsWith('.ts') || !isThere(path))).toEqual([])
  })

  it('CONTRIBUTING.md lists every room', () => {
    const rooms = globSync('src/*/', { cwd: root }).map(
      (path) => `\`${path.replaceAll('\\', '/').replace(/\/?$/, '/')}\``,
    )
    const table = readPage('CONTRIBUTING.md').split('\n## Rooms\n')[1]?.split('\n## ')[0] ?? ''
    expect(rooms.filter((room) => !table.includes(`| ${room}`))).toEqual([])
  })

  it('security.md lists every test once', () => {
    const rows = readPage('docs/security.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
      .map((line) => line.split('|')[1]?.trim())
    expect(rows.filter((row, at) => rows.indexOf(row) !== at)).toEqual([])
  })
})

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

function isThere(path: string): boolean {
  return path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path))
}
