import assert from 'node:assert/strict'
import { getObject } from '../get.ts'
import { type ContractCase, contractCase } from './harness.ts'

/** Discovery and reading. */
export const readCases: readonly ContractCase[] = [
  contractCase('a missing object reads as nothing', async (c) => {
    const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: c.namespace, name: 'absent' }
    assert.equal(await getObject(c.cluster, ref, c.ctx), undefined)
  }),
]
