import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unexportedTypes } from './public-types.ts'

describe('the types of public signatures', () => {
  let root: string
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text)
  const problems = (): string[] => unexportedTypes([join(root, 'index.d.ts')], root)

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lading-types-'))
    write('options.d.ts', 'export interface Options {\n  readonly limit: number;\n}\n')
    write(
      'run.d.ts',
      `import type { Options } from './options.ts';\nexport declare function run(options: Options): void;\n`,
    )
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('are reported where no door exports them', () => {
    write('index.d.ts', `export { run } from './run.ts';\n`)
    expect(problems()).toEqual(['run.d.ts: run names Options of options.d.ts, which no door exports'])
  })

  it('may be exported under another name, or with their whole module', () => {
    write('index.d.ts', `export { run } from './run.ts';\nexport type { Options as RunOptions } from './options.ts';\n`)
    expect(problems()).toEqual([])
    write('index.d.ts', `export { run } from './run.ts';\nexport * from './options.ts';\n`)
    expect(problems()).toEqual([])
  })
})
