// Plans an upgrade, saves the plan, and applies it once it was approved.
import { context } from 'lading/core'
import { apply, createStore, fromObjects, parsePlan, planHash, planUpgrade, savePlan } from 'lading/release'
import { startSandbox } from 'lading/sandbox'

const ctx = context()
await using sandbox = await startSandbox()
await using cluster = await sandbox.connect()
const engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { level: 'info' } }]
const content = { release: { name: 'shop', namespace: 'default' }, ...fromObjects(objects) }

const plan = await planUpgrade(engine, content, { install: true }, ctx)
const text = JSON.stringify(await savePlan(engine, plan, {}, ctx))
// A person reads the plan, and somebody else may apply it later.
const saved = parsePlan(text, 'plan.json')
const approval = { plan_hash: planHash(saved), decision: 'approve', by: 'ada', at: new Date().toISOString() } as const
await apply(engine, saved, { approval }, ctx)
console.log((await cluster.get('v1', 'ConfigMap', 'default/settings'))?.data)
