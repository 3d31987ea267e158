// Tests a release against a server that is overloaded, without a cluster.
import { context } from 'lading/core'
import { createStore, fromObjects, install } from 'lading/release'
import { startSandbox } from 'lading/sandbox'
import { expect, it } from 'vitest'

it('installs the settings although the server turns requests away', async () => {
  await using sandbox = await startSandbox()
  await using cluster = await sandbox.connect()
  sandbox.faults.add({ fault: 'throttle', verb: 'patch', resource: 'configmaps', retryAfterSeconds: 0, count: 2 })

  const engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
  const objects = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { level: 'info' } }]
  const content = { release: { name: 'shop', namespace: 'default' }, ...fromObjects(objects) }
  const { outcome } = await install(engine, content, {}, context())

  expect(outcome).toBe('deployed')
  expect(await cluster.get('v1', 'ConfigMap', 'default/settings')).toMatchObject({ data: { level: 'info' } })
  expect(sandbox.faults.list()).toMatchObject([{ struck: 2 }])
})
