import assert from 'node:assert/strict'
import { type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { configMapYaml, webYaml } from './manifests.ts'

/** Changing single objects. */
export const changeCases: readonly ClientCase[] = [
  {
    name: 'label and annotate add, refuse, overwrite and remove',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('create configmap marked'))
      assert.equal(await expectOk(kubectl('label configmap marked tier=back')), 'configmap/marked labeled\n')
      assert.match(await expectFailure(kubectl('label configmap marked tier=front')), /already has a value \(back\)/)
      await expectOk(kubectl('label configmap marked tier=front --overwrite'))
      assert.equal(await expectOk(kubectl('label configmap marked tier=front')), 'configmap/marked not labeled\n')
      assert.equal(await expectOk(kubectl('label configmap marked tier-')), 'configmap/marked unlabeled\n')
      assert.equal(await expectOk(kubectl('annotate configmap marked note=yes')), 'configmap/marked annotated\n')
      await expectOk(kubectl('annotate configmap marked note-'))
      assert.match(await expectFailure(kubectl('label configmap marked bad*key=1')), /Invalid|invalid/)
    },
  },
  {
    name: 'patch in three forms, and only what the subresource holds',
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      const patch = (type: string, body: unknown): Promise<string> =>
        expectOk(kubectl(['patch', 'deployment', 'web', `--type=${type}`, '-p', JSON.stringify(body)]))
      const containers = [{ name: 'side', image: 'registry.example/side:1' }]
      assert.equal(
        await patch('strategic', { spec: { template: { spec: { containers } } } }),
        'deployment.apps/web patched\n',
      )
      const images = 'get deployment web -o jsonpath={.spec.template.spec.containers[*].name}'
      assert.equal(await expectOk(kubectl(images)), 'side web')
      await patch('json', [{ op: 'remove', path: '/spec/template/spec/containers/0' }])
      assert.equal(await expectOk(kubectl(images)), 'web')
      await patch('merge', { metadata: { annotations: { note: 'merged' } }, spec: { replicas: 1 } })
      // Of what no controller writes to meanwhile.
      const same = ['patch', 'service', 'web', '--type=merge', '-p', '{"spec":{"ports":[{"port":80}]}}']
      await expectOk(kubectl(same))
      assert.equal(await expectOk(kubectl(same)), 'service/web patched (no change)\n')
      const scale = [
        'patch',
        'deployment',
        'web',
        '--subresource=scale',
        '--type=merge',
        '-p',
        '{"spec":{"replicas":2}}',
      ]
      assert.equal(await expectOk(kubectl(scale)), 'scale.autoscaling/web patched\n')
      const failing = [
        'patch',
        'deployment',
        'web',
        '--type=json',
        '-p',
        '[{"op":"test","path":"/spec/replicas","value":9}]',
      ]
      assert.match(
        await expectFailure(kubectl(failing)),
        /the server rejected our request|testing path|test failed|Invalid/,
      )
    },
  },
  {
    name: 'patch --subresource=status changes the status alone',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('create ingress front --rule=example.com/*=web:80'))
      const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
      const body = JSON.stringify({ status, spec: { ingressClassName: 'ignored' } })
      await expectOk(kubectl(['patch', 'ingress', 'front', '--subresource=status', '--type=merge', '-p', body]))
      const after = JSON.parse(await expectOk(kubectl('get ingress front -o json', { own: true })))
      assert.deepEqual(after.status, status)
      assert.equal(after.spec.ingressClassName, undefined)
    },
  },
  {
    name: 'edit stores what the editor left, and nothing when nothing changed',
    async run({ kubectl, file }) {
      await expectOk(kubectl('apply -f -', { stdin: configMapYaml('edited', { key: 'before' }) }))
      const editor = await file('editor', '#!/bin/sh\nsed -i "s/key: before/key: after/" "$1"\n')
      const env = { KUBE_EDITOR: editor }
      assert.equal(await expectOk(kubectl('edit configmap edited', { env })), 'configmap/edited edited\n')
      assert.equal(await expectOk(kubectl('get configmap edited -o jsonpath={.data.key}')), 'after')
      assert.match((await kubectl('edit configmap edited', { env })).stderr, /Edit cancelled, no changes made/)
    },
  },
  {
    name: 'replace swaps the whole object, by version or by force',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('create -f -', { stdin: configMapYaml('whole', { a: '1', b: '2' }) }))
      const old = await expectOk(kubectl('get configmap whole -o json', { own: true }))
      assert.equal(
        await expectOk(kubectl('replace -f -', { stdin: configMapYaml('whole', { c: '3' }) })),
        'configmap/whole replaced\n',
      )
      assert.equal(await expectOk(kubectl('get configmap whole -o jsonpath={.data}')), '{"c":"3"}')
      assert.match(
        await expectFailure(kubectl('replace -f -', { stdin: old })),
        /\(Conflict\).*the object has been modified/,
      )
      await expectOk(kubectl('replace --force -f -', { stdin: configMapYaml('whole', { d: '4' }) }))
      assert.match(await expectFailure(kubectl('replace -f -', { stdin: configMapYaml('none', {}) })), /NotFound/)
    },
  },
  {
    name: 'immutable ConfigMaps stay as they are',
    e2eOnly: true,
    async run({ kubectl }) {
      const stdin = JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'fixed' },
        data: { a: '1' },
        immutable: true,
      })
      await expectOk(kubectl('create -f -', { stdin }))
      const said = await expectFailure(kubectl(['patch', 'configmap', 'fixed', '-p', '{"data":{"a":"2"}}']))
      assert.match(said, /data: Forbidden: field is immutable when `immutable` is set/)
    },
  },
  {
    name: 'nodes are tainted, cordoned and labelled',
    e2eOnly: true,
    async run({ kubectl, unique }) {
      await expectOk(
        kubectl('create -f -', {
          stdin: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: unique } }),
        }),
      )
      await expectOk(kubectl(`taint node ${unique} dedicated=db:NoSchedule`))
      await expectOk(kubectl(`cordon ${unique}`))
      assert.match(await expectOk(kubectl(`get node ${unique}`, { own: true })), /SchedulingDisabled/)
      await expectOk(kubectl(`uncordon ${unique}`))
      await expectOk(kubectl(`taint node ${unique} dedicated-`))
      await expectOk(kubectl(`label node ${unique} node-role.kubernetes.io/db=`))
      await expectOk(kubectl(`delete node ${unique}`))
    },
  },
]
