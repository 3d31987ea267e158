import assert from 'node:assert/strict'
import { type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { configMapYaml, webYaml } from './manifests.ts'

/** Deleting, alone and with what depends on it. */
export const deleteCases: readonly ClientCase[] = [
  {
    name: 'delete by name, file, selector and all together',
    async run({ kubectl, namespace }) {
      const stdin = ['a', 'b', 'c', 'd']
        .map((name) => configMapYaml(name, {}, { late: String(name > 'b') }))
        .join('---\n')
      await expectOk(kubectl('apply -f -', { stdin }))
      assert.equal(await expectOk(kubectl('delete configmap a')), `configmap "a" deleted from ${namespace} namespace\n`)
      await expectOk(kubectl('delete -f -', { stdin: configMapYaml('b', {}) }))
      await expectOk(kubectl('delete configmap -l late=true'))
      assert.match(await expectFailure(kubectl('delete configmap a')), /\(NotFound\): configmaps "a" not found/)
      assert.equal((await kubectl('delete configmap a --ignore-not-found')).code, 0)
      await expectOk(kubectl('create secret generic one'))
      await expectOk(kubectl('delete secrets --all'))
      assert.equal(await expectOk(kubectl('get secrets -o name')), '')
    },
  },
  {
    name: 'delete --cascade=background takes ReplicaSets and Pods along',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
      await expectOk(kubectl('delete deployment web'))
      await expectOk(kubectl('wait --for=delete rs,pods -l app=web --timeout=300s', { own: true }))
      assert.equal(await expectOk(kubectl('get rs,pods -o name')), '')
    },
  },
  {
    name: 'delete --cascade=orphan leaves them, without an owner',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
      await expectOk(kubectl('delete deployment web --cascade=orphan'))
      assert.equal(await expectOk(kubectl('get rs -l app=web -o jsonpath={.items[*].metadata.ownerReferences}')), '')
      assert.match(await expectOk(kubectl('get rs')), /web-\w+ +2 +2 +2/)
    },
  },
  {
    name: 'delete --cascade=foreground waits for what depends on it',
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
      await expectOk(kubectl('delete deployment web --cascade=foreground'))
      assert.equal(await expectOk(kubectl('get deployments,rs,pods -o name')), '')
    },
  },
  {
    name: 'finalizers hold an object until they are gone',
    e2eOnly: true,
    async run({ kubectl }) {
      const stdin = JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'held', finalizers: ['example.com/hold'] },
      })
      await expectOk(kubectl('create -f -', { stdin }))
      await expectOk(kubectl('delete configmap held --wait=false'))
      assert.match(await expectFailure(kubectl('delete configmap held --timeout=8s', { own: true })), /timed out/)
      assert.notEqual(await expectOk(kubectl('get configmap held -o jsonpath={.metadata.deletionTimestamp}')), '')
      await expectOk(kubectl(['patch', 'configmap', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']))
      assert.match(await expectFailure(kubectl('get configmap held')), /NotFound/)
    },
  },
  {
    name: 'pods go with grace, now, or by force',
    e2eOnly: true,
    async run({ kubectl }) {
      for (const how of ['', ' --now', ' --grace-period=0 --force']) {
        await expectOk(kubectl('run alone --image=registry.example/web:1'))
        await expectOk(kubectl('wait --for=condition=Ready pod/alone --timeout=300s', { own: true }))
        await expectOk(kubectl(`delete pod alone${how}`))
        assert.match(await expectFailure(kubectl('get pod alone')), /NotFound/)
      }
    },
  },
  {
    name: 'a namespace goes with its content, and takes nothing new meanwhile',
    async run({ kubectl, unique }) {
      const other = `${unique}-other`
      await expectOk(kubectl(`create namespace ${other}`))
      const held = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'held', namespace: other, finalizers: ['example.com/hold'] },
      }
      await expectOk(kubectl(`create -n ${other} -f -`, { stdin: JSON.stringify(held) }))
      await expectOk(kubectl(`delete namespace ${other} --wait=false`))
      const said = await expectFailure(kubectl(`create configmap late -n ${other}`))
      assert.match(said, /unable to create new content in namespace \S+ because it is being terminated/)
      await expectOk(
        kubectl(['patch', 'configmap', 'held', '-n', other, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']),
      )
      await expectOk(kubectl(`wait --for=delete namespace/${other} --timeout=300s`, { own: true }))
      assert.match(await expectFailure(kubectl(`get namespace ${other}`)), /NotFound/)
    },
  },
]
