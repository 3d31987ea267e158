// Installs a release from objects made in code, and shows what happens meanwhile.
import { context } from 'lading/core'
import { createStore, fromObjects, install } from 'lading/release'
import { startSandbox } from 'lading/sandbox'

await using sandbox = await startSandbox()
await using cluster = await sandbox.connect()
const engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { level: 'info' } }]
const content = { release: { name: 'shop', namespace: 'default' }, ...fromObjects(objects) }
const onEvent = (event: { readonly type: string }): void => console.log(event.type)
const { outcome, record } = await install(engine, content, { wait: true, onEvent }, context())
console.log(outcome, record?.version)
