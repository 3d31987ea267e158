// Keeps the records of releases in a store of its own, and holds it to the contract of every store.
import * as lading from 'lading/release'
import { releaseStoreContract } from 'lading/release/contract'
import { afterAll, beforeAll, describe, it } from 'vitest'
const rows = new Map<string, { token: string; summary: lading.RevisionSummary; text: string }>() // or a database
const idOf = ({ namespace, name, version }: lading.RevisionKey): string => `${namespace}/${name}/${version}`
const put = (record: lading.ReleaseRecord, token: string = crypto.randomUUID()): lading.StoredRecord => {
  rows.set(idOf(record), { token, summary: lading.summaryOfRecord(record), text: lading.encodeRecord(record) })
  return { record, token }
}
const store: lading.ReleaseStore = lading.fencedStore({
  ...{ driver: 'own', ownership: lading.ladingOwnership, prepare: (record) => record },
  async get(key) {
    lading.checkRevisionKey(key)
    const row = rows.get(idOf(key))
    return row && { record: lading.decodeRecord(row.text, idOf(key)), token: row.token }
  },
  history: async (name, namespace, ctx) => (await store.list(namespace, ctx)).filter((one) => one.name === name),
  async list(namespace) {
    const all = Array.from(rows.values(), ({ summary }) => summary).sort((a, b) => a.version - b.version)
    return namespace === undefined ? all : all.filter((one) => one.namespace === namespace)
  },
  async create(record) {
    lading.checkRevisionKey(record)
    if (rows.has(idOf(record))) throw lading.revisionExistsError(record)
    return put(record)
  },
  async update({ token }, next) {
    if (rows.get(idOf(next))?.token !== token) throw lading.revisionChangedError(next)
    return put(next)
  },
  async delete({ record, token }) {
    if ((rows.get(idOf(record))?.token ?? token) !== token) throw lading.revisionChangedError(record)
    rows.delete(idOf(record))
  },
})
const damage = async (key: lading.RevisionKey) => void Object.assign(rows.get(idOf(key)) ?? {}, { text: '?' })
const target = { store, namespaces: ['one', 'two'], holdsLarge: true, damage, close: async () => rows.clear() } as const
releaseStoreContract({ describe, it, beforeAll, afterAll }, 'my store', async () => target)
