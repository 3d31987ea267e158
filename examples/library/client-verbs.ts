// Reads and writes objects of a cluster; their types follow from apiVersion and kind.
import { startSandbox } from 'lading/sandbox'

await using sandbox = await startSandbox()
await using cluster = await sandbox.connect()
await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } })
const metadata = { name: 'settings', namespace: 'shop' }
await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { level: 'info' } })
await cluster.patch('v1', 'ConfigMap', 'shop/settings', { data: { level: 'debug' } })
const { items } = await cluster.list('v1', 'ConfigMap', { namespace: 'shop' })
console.log(items.map(({ data }) => data?.['level']))
await cluster.delete('v1', 'ConfigMap', 'shop/settings')
