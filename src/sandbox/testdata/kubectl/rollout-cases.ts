import assert from 'node:assert/strict'
import { type Client, type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { configMapYaml, webYaml } from './manifests.ts'

/** Waiting, rollouts and scaling. */
export const rolloutCases: readonly ClientCase[] = [
  {
    name: 'wait for a condition, a value, a creation and a deletion, or give up',
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      assert.equal(
        await expectOk(kubectl('wait --for=condition=Available deployment/web --timeout=300s')),
        'deployment.apps/web condition met\n',
      )
      await expectOk(kubectl('wait --for=jsonpath={.status.readyReplicas}=2 deployment/web --timeout=300s'))
      await expectOk(kubectl('wait --for=condition=Ready pods --all --timeout=300s', { own: true }))
      const [created] = await Promise.all([
        expectOk(kubectl('wait --for=create configmap/late --timeout=300s', { own: true })),
        expectOk(kubectl('create configmap late', { own: true })),
      ])
      assert.equal(created, 'configmap/late condition met\n')
      const [gone] = await Promise.all([
        expectOk(kubectl('wait --for=delete configmap/late --timeout=300s', { own: true })),
        expectOk(kubectl('delete configmap late', { own: true })),
      ])
      // Nothing is said when it was gone before the wait began.
      assert.match(gone, /^(configmap\/late condition met\n)?$/)
      const said = await expectFailure(kubectl('wait --for=condition=Never deployment/web --timeout=6s'))
      assert.match(said, /timed out waiting for the condition on deployments\/web/)
    },
  },
  {
    name: 'rollout: status, history, undo, restart, pause and resume',
    async run(client) {
      const { kubectl } = client
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      assert.match(await status(client), /deployment "web" successfully rolled out\n$/)
      // Both at once: a cause that comes after the rollout reaches its ReplicaSet when the controller has time.
      const second = {
        metadata: { annotations: { 'kubernetes.io/change-cause': 'second' } },
        spec: { template: { spec: { containers: [{ name: 'web', image: 'registry.example/web:2' }] } } },
      }
      await expectOk(kubectl(['patch', 'deployment', 'web', '-p', JSON.stringify(second)]))
      await status(client)
      const history = await expectOk(kubectl('rollout history deployment/web'))
      assert.match(history, /REVISION +CHANGE-CAUSE\n1 +<none>\n2 +second\n/)
      assert.match(
        await expectOk(kubectl('rollout history deployment/web --revision=1')),
        /Image:\s+registry.example\/web:1/,
      )
      assert.equal(await expectOk(kubectl('rollout undo deployment/web')), 'deployment.apps/web rolled back\n')
      await status(client)
      assert.equal(await image(client), 'registry.example/web:1')
      await expectOk(kubectl('rollout undo deployment/web --to-revision=2'))
      assert.equal(await image(client), 'registry.example/web:2')
      await expectOk(kubectl('rollout restart deployment/web'))
      await status(client)
      assert.equal(await expectOk(kubectl('rollout pause deployment/web')), 'deployment.apps/web paused\n')
      await expectOk(kubectl('set image deployment/web web=registry.example/web:3'))
      const paused = await expectFailure(kubectl('rollout undo deployment/web'))
      assert.match(paused, /cannot rollback a paused deployment/)
      assert.equal(await expectOk(kubectl('rollout resume deployment/web')), 'deployment.apps/web resumed\n')
      await status(client)
      assert.match(await expectFailure(kubectl('rollout undo deployment/web --to-revision=99')), /unable to find/)
    },
  },
  {
    name: 'rollout: StatefulSets and DaemonSets',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: `${workload('StatefulSet')}---\n${workload('DaemonSet')}` }))
      for (const kind of ['statefulset', 'daemonset']) {
        await expectOk(kubectl(`rollout status ${kind}/own --timeout=300s`, { own: true }))
        await expectOk(kubectl(`set image ${kind}/own main=registry.example/own:2`))
        await expectOk(kubectl(`rollout status ${kind}/own --timeout=300s`, { own: true }))
        assert.match(await expectOk(kubectl(`rollout history ${kind}/own`)), /\n1 +<none>\n2 +<none>\n/)
        await expectOk(kubectl(`rollout undo ${kind}/own`))
        await expectOk(kubectl(`rollout status ${kind}/own --timeout=300s`, { own: true }))
      }
      assert.match(await expectOk(kubectl('get statefulsets')), /^NAME +READY +AGE\nown +2\/2 /)
      assert.match(await expectOk(kubectl('get pods -l kind=StatefulSet')), /\nown-0 +1\/1 +Running .*\nown-1 +1\/1 /)
    },
  },
  {
    name: 'scale, with and without a condition; autoscale',
    e2eOnly: true,
    async run(client) {
      const { kubectl } = client
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      assert.equal(await expectOk(kubectl('scale deployment/web --replicas=3')), 'deployment.apps/web scaled\n')
      await status(client)
      assert.match(
        await expectFailure(kubectl('scale deployment/web --current-replicas=1 --replicas=4')),
        /Expected replicas to be 1, was 3/,
      )
      assert.equal(await expectOk(kubectl('get deployment web --subresource=scale -o jsonpath={.spec.replicas}')), '3')
      await expectOk(kubectl('scale deployment/web --replicas=0 --timeout=300s'))
      await expectOk(kubectl('wait --for=delete pods -l app=web --timeout=300s', { own: true }))
      await expectOk(kubectl('autoscale deployment/web --min=1 --max=3 --cpu-percent=80', { own: true }))
      assert.equal(await expectOk(kubectl('get hpa web -o jsonpath={.spec.maxReplicas}')), '3')
    },
  },
  {
    name: 'set changes images, environments, resources, accounts and selectors',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await expectOk(kubectl('apply -f -', { stdin: configMapYaml('settings', { FROM: 'map' }) }))
      await expectOk(kubectl('create serviceaccount robot'))
      await expectOk(kubectl('set env deployment/web A=1 --from=configmap/settings'))
      await expectOk(kubectl('set env deployment/web A-'))
      assert.match(await expectOk(kubectl('set env deployment/web --list')), /# FROM from configmap settings, key FROM/)
      await expectOk(kubectl('set resources deployment/web --limits=cpu=200m,memory=64Mi'))
      await expectOk(kubectl('set serviceaccount deployment/web robot'))
      await expectOk(kubectl('set selector service/web app=web,tier=front'))
      const container = await expectOk(
        kubectl('get deployment web -o jsonpath={.spec.template.spec.containers[0].resources}'),
      )
      assert.deepEqual(JSON.parse(container), { limits: { cpu: '200m', memory: '64Mi' } })
    },
  },
]

function workload(kind: 'StatefulSet' | 'DaemonSet'): string {
  const labels = { kind }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.example/own:1' }] } }
  const spec = { selector: { matchLabels: labels }, template }
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'own' },
    spec: kind === 'StatefulSet' ? { ...spec, replicas: 2, serviceName: 'own' } : spec,
  }).concat('\n')
}

function status({ kubectl }: Client): Promise<string> {
  return expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
}

function image({ kubectl }: Client): Promise<string> {
  return expectOk(kubectl('get deployment web -o jsonpath={.spec.template.spec.containers[0].image}'))
}
