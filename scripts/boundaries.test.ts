import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boundaryViolations } from './boundaries.ts'

describe('the boundaries between rooms', () => {
  let root: string

  beforeEach(() => {
    root = join(mkdtempSync(join(tmpdir(), 'lading-boundaries-')), 'src')
  })

  afterEach(() => {
    rmSync(dirname(root), { recursive: true })
  })

  it('let a room import a room to its left through its door', () => {
    write('core/index.ts', 'export const a = 1')
    write('kube/apply.ts', `import { a } from '../core/index.ts'\nexport const b = a`)
    expect(boundaryViolations(root)).toEqual([])
  })

  it('refuse an import against the direction', () => {
    write('kube/index.ts', 'export const a = 1')
    write('core/object.ts', `import { a } from '../kube/index.ts'\nexport const b = a`)
    expect(boundaryViolations(root)).toEqual(['src/core/object.ts: core must not import kube'])
  })

  it('refuse that kube, oci and render know each other, also by a type or a lazy import', () => {
    write('oci/index.ts', 'export type A = 1')
    write('kube/a.ts', `import type { A } from '../oci/index.ts'\nexport type B = A`)
    write('render/helm/b.ts', `export const b = await import('../../oci/index.ts')`)
    expect(boundaryViolations(root)).toEqual([
      'src/kube/a.ts: kube must not import oci',
      'src/render/helm/b.ts: render must not import oci',
    ])
  })

  it('refuse that a stage of the release room imports a later one, but let all of them import files of the room itself', () => {
    write('release/engine.ts', 'export type Engine = 1')
    write('release/run/deploy.ts', 'export type Deploy = 1')
    write('release/plan/plan.ts', `import type { Engine } from '../engine.ts'\nexport type Plan = Engine`)
    write('release/lock/lock.ts', `import type { Deploy } from '../run/deploy.ts'\nexport type Lock = Deploy`)
    write('release/lock/lock.test.ts', `import type { Deploy } from '../run/deploy.ts'\nexport type Lock = Deploy`)
    expect(boundaryViolations(root)).toEqual([
      'src/release/lock/lock.ts: imports release/run/deploy.ts, a later stage of the room',
    ])
  })

  it('let one file of the sandbox, and no other, import the client', () => {
    write('kube/index.ts', 'export type A = 1')
    write('sandbox/connect.ts', `import type { A } from '../kube/index.ts'\nexport type B = A`)
    write('sandbox/start.ts', `import type { A } from '../kube/index.ts'\nexport type B = A`)
    expect(boundaryViolations(root)).toEqual(['src/sandbox/start.ts: sandbox must not import kube'])
  })

  it('refuse a way in that is not the door', () => {
    write('core/json.ts', 'export const a = 1')
    write('kube/a.ts', `export { a } from '../core/json.ts'`)
    expect(boundaryViolations(root)).toEqual([
      'src/kube/a.ts: enters core by core/json.ts instead of its door, an index.ts',
    ])
  })

  it.each(['node:http', 'node:https', 'node:net', 'node:tls', 'node:crypto', 'node:sqlite', 'undici', 'crypto'])(
    'refuse logic in the command line: it may not import %s, which the library may',
    (name) => {
      write('cli/commands/get.ts', `import * as a from '${name}'\nexport const b = a`)
      write('cli/options/lazy.ts', `export const b = await import('${name}')`)
      write('cli/commands/get.test.ts', `import * as a from '${name}'\nexport const b = a`)
      write('net/dial.ts', `import * as a from '${name}'\nexport const b = a`)
      const problem = `cli must not import ${name}: what needs it belongs to the library`
      expect(boundaryViolations(root)).toEqual([
        `src/cli/commands/get.ts: ${problem}`,
        `src/cli/options/lazy.ts: ${problem}`,
      ])
    },
  )

  it('refuse that the command line enters a room by one of its deep modules', () => {
    write('release/plan/plan.ts', 'export const a = 1')
    write('release/source/chart/index.ts', 'export const a = 1')
    write('cli/commands/plan.ts', `export { a } from '../../release/plan/plan.ts'`)
    write('cli/commands/show.ts', `export { a } from '../../release/source/chart/index.ts'`)
    expect(boundaryViolations(root)).toEqual([
      'src/cli/commands/plan.ts: enters release by release/plan/plan.ts instead of its door, an index.ts',
    ])
  })

  it('refuse that a room below the network imports it', () => {
    write('net/index.ts', 'export const a = 1')
    write('core/a.ts', `export { a } from '../net/index.ts'`)
    write('kube/a.ts', `export { a } from '../net/index.ts'`)
    write('oci/a.ts', `export { a } from '../net/index.ts'`)
    expect(boundaryViolations(root)).toEqual([
      'src/core/a.ts: core must not import net',
      'src/kube/a.ts: kube must not import net',
    ])
  })

  it('refuse that what ships uses the testbed, but let tests do so', () => {
    write('kube/a.ts', `import '../../testbed/start.ts'`)
    write('kube/a.test.ts', `import '../../testbed/start.ts'`)
    expect(boundaryViolations(root)).toHaveLength(1)
  })

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
})
