import { expect, it } from 'vitest'
import { completeLock } from './complete-lock.ts'

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
