import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiReference, apiReference } from './generate-api.ts'

describe('the API reference', () => {
  let root: string
  let reference: ApiReference

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'lading-api-test-'))
    const write = (name: string, text: string): void => writeFileSync(join(root, name), text)
    write('tsconfig.json', '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["*.ts"] }')
    write(
      'run.ts',
      `/** Runs. */
export function run(): void {}
/** Runs for {@link nobody}. */
export type Run = () => void
export type Silent = string
export const mute = 1
`,
    )
    write('open.ts', `/** Opens.\n * @module */\n/** A limit. */\nexport interface Limit { readonly size: number }\n`)
    const doors = { first: join(root, 'run.ts'), 'first/contract': join(root, 'open.ts') }
    reference = await apiReference(doors, 'API', join(root, 'tsconfig.json'))
  })
  afterAll(() => rmSync(root, { recursive: true }))

  it('has a page for each door, and one that lists them', () => {
    expect(Object.keys(reference.pages)).toEqual(['README.md', 'first.md', 'first/contract.md'])
    expect(reference.pages['README.md']).toContain('[first/contract](first/contract.md) | Opens. |')
    expect(reference.pages['first.md']).toContain('# lading/first\n')
    expect(reference.pages['first/contract.md']).toContain('A limit.')
  })

  it('does not depend on where the sources are', () => {
    expect(Object.values(reference.pages).join('')).not.toContain(root)
  })

  it('names doors and exports without a doc comment, and links without a target', () => {
    const [link, ...missing] = reference.problems
    expect(link).toContain('nobody')
    expect(missing).toEqual(['first: the door itself', 'first: Silent', 'first: mute'])
  })
})
