// Keeps a copy of all objects of a custom resource, and hears of every change.
import { context } from 'lading/core'
import { startInformer } from 'lading/kube'
import { startSandbox } from 'lading/sandbox'

interface Shop {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec: { size: number }
}
const names = { kind: 'Shop', singular: 'shop', plural: 'shops' }
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }

await using sandbox = await startSandbox()
await using cluster = await sandbox.connect()
await cluster.apply({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shops.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
})

using informer = startInformer<Shop>(cluster, { gvk: { group: 'example.com', version: 'v1', kind: 'Shop' } }, context())
await informer.synced
const change = new Promise((resolve) => informer.subscribe(resolve))
const metadata = { name: 'corner', namespace: 'default' }
await cluster.apply({ apiVersion: 'example.com/v1', kind: 'Shop', metadata, spec: { size: 3 } })
await change
console.log(informer.list('default').map(({ metadata, spec }) => `${metadata.name} has the size ${spec.size}`))
