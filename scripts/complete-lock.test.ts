import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRecord } from '../src/core/index.ts'
import { addIntegrity, completeLock, dropEngines, withoutIntegrity } from './complete-lock.ts'

it('a lock that misses platforms of an optional dependency gets them, and nothing else', () => {
  const tool = {
    version: '1.2.3',
    dev: true,
    optionalDependencies: {
      '@tool/binding-linux-x64-gnu': '1.2.3',
      '@tool/binding-darwin-arm64': '1.2.3',
      fsevents: '~2.3.3',
    },
  }
  const here = { version: '1.2.3', cpu: ['x64'], os: ['linux'], optional: true, integrity: 'sha512-x' }
  const lock = { packages: { '': {}, 'node_modules/tool': tool, 'node_modules/@tool/binding-linux-x64-gnu': here } }
  expect(completeLock(lock)).toEqual(['@tool/binding-darwin-arm64@1.2.3'])
  expect(lock.packages).toMatchObject({
    'node_modules/@tool/binding-linux-x64-gnu': here,
    'node_modules/@tool/binding-darwin-arm64': {
      version: '1.2.3',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      optional: true,
    },
  })
  expect(completeLock(lock)).toEqual([])
})

// The registry that the lock was made with has no copies of these at the versions that are locked.
const notAtHand =
  /^@(?:oxc-parser|oxfmt|oxlint|rolldown)\/binding-(?!linux-(?:x64|arm64)-)|^@oxlint-tsgolint\/(?!linux-)/

it('every entry of package-lock.json has its integrity, but for tools of developers on other platforms', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock
  const open = withoutIntegrity(lock)
  expect(open.filter((spec) => !notAtHand.test(spec))).toEqual([])
  // Nothing that comes with Lading, and nothing that an installation needs, may ever be among the exceptions.
  const entries = open.map((spec) => lock.packages[`node_modules/${spec.slice(0, spec.lastIndexOf('@'))}`])
  expect(entries.filter((entry) => !isRecord(entry) || entry['dev'] !== true || entry['optional'] !== true)).toEqual([])
})

it('npm ci on an older Node warns of no package: the lock says nothing about the Node that they need', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lock
  const { '': root, ...others } = lock.packages
  expect(Object.entries(others).filter(([, entry]) => isRecord(entry) && 'engines' in entry)).toEqual([])
  expect(root).toHaveProperty('engines')
  const made = {
    packages: { '': { engines: { node: '>=24' } }, 'node_modules/a': { engines: { node: '>=24' }, dev: true } },
  }
  dropEngines(made)
  expect(made.packages).toEqual({ '': { engines: { node: '>=24' } }, 'node_modules/a': { dev: true } })
})

it('entries without integrity get that of the registry, and those that it does not have are named', async () => {
  const entry = (more: object) => ({ version: '1.0.0', ...more })
  const packages = {
    '': { version: '0.1.0' },
    'node_modules/a': entry({ integrity: 'sha512-a' }),
    'node_modules/@x/b': entry({ optional: true }),
    'node_modules/c': entry({}),
    'node_modules/d': { link: true },
  }
  const lock = { packages }
  const known = new Map([['@x/b@1.0.0', 'sha512-b']])
  expect(await addIntegrity(lock, (spec) => Promise.resolve(known.get(spec)))).toEqual(['c@1.0.0'])
  expect(packages['node_modules/@x/b']).toEqual({ version: '1.0.0', integrity: 'sha512-b', optional: true })
  expect(packages['node_modules/a']).toEqual({ version: '1.0.0', integrity: 'sha512-a' })
  expect(withoutIntegrity(lock)).toEqual(['c@1.0.0'])
})

type Lock = Record<string, unknown> & { readonly packages: Readonly<Record<string, unknown>> }
