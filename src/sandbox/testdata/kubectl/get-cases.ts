import assert from 'node:assert/strict'
import { type Client, type ClientCase, expectFailure, expectOk, expectSoon } from '../client/client-case.ts'
import { configMapYaml, gadgetCrdYaml, webYaml } from './manifests.ts'

/** Reading with `kubectl get`, `describe`, `events`, `logs`. */
export const getCases: readonly ClientCase[] = [
  {
    name: 'get shows tables of the workloads',
    async run(client) {
      const { kubectl } = client
      await runWeb(client)
      assert.match(
        await expectOk(kubectl('get deployments')),
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +2\/2 +2 +2 /,
      )
      assert.match(await expectOk(kubectl('get replicasets')), /^NAME +DESIRED +CURRENT +READY +AGE\nweb-\w+ +2 +2 +2 /)
      assert.match(
        await expectOk(kubectl('get pods')),
        /^NAME +READY +STATUS +RESTARTS +AGE\nweb-\w+-\w+ +1\/1 +Running +0 /,
      )
      assert.match(
        await expectOk(kubectl('get services')),
        /^NAME +TYPE +CLUSTER-IP +EXTERNAL-IP +PORT\(S\) +AGE\nweb +ClusterIP/,
      )
      assert.match(
        await expectOk(kubectl('get deployments -o wide')),
        /CONTAINERS +IMAGES +SELECTOR\n.*web +registry.example\/web:1 +app=web/,
      )
      assert.match(await expectOk(kubectl('get pods -o wide')), /IP +NODE +NOMINATED NODE +READINESS GATES/)
      assert.match(await expectOk(kubectl('get deploy --show-labels')), /LABELS\n.*app=web/)
      assert.match(await expectOk(kubectl('get pods -L app --no-headers')), /^web-\S+ .* web\n/)
      const all = await expectOk(kubectl('get all', { own: true }))
      for (const kind of ['pod/web-', 'service/web', 'deployment.apps/web', 'replicaset.apps/web-']) {
        assert.ok(all.includes(kind), `${kind} is in ${all}`)
      }
    },
  },
  {
    name: 'get shows tables of configuration and cluster objects',
    e2eOnly: true,
    async run({ kubectl, namespace }) {
      await expectOk(kubectl('create configmap settings --from-literal=a=1 --from-literal=b=2'))
      await expectOk(kubectl('create secret generic keys --from-literal=a=1'))
      assert.match(await expectOk(kubectl('get configmap settings')), /^NAME +DATA +AGE\nsettings +2 /)
      assert.match(await expectOk(kubectl('get secret keys')), /^NAME +TYPE +DATA +AGE\nkeys +Opaque +1 /)
      assert.match(await expectOk(kubectl(`get namespace ${namespace}`)), /^NAME +STATUS +AGE\n\S+ +Active /)
      assert.match(
        await expectOk(kubectl('get nodes', { own: true })),
        /^NAME +STATUS +ROLES +AGE +VERSION\n\S+ +Ready /,
      )
      assert.match(await expectOk(kubectl('get serviceaccounts default')), /^NAME +AGE\ndefault /)
      await expectOk(kubectl('get configmaps,secrets -A', { own: true }))
    },
  },
  {
    name: 'get prints objects in every format',
    e2eOnly: true,
    async run({ kubectl, namespace }) {
      await expectOk(kubectl('apply -f -', { stdin: configMapYaml('settings', { key: 'value' }, { tier: 'back' }) }))
      assert.match(
        await expectOk(kubectl('get cm settings -o yaml')),
        /^apiVersion: v1\ndata:\n {2}key: value\nkind: ConfigMap\n/,
      )
      const object = JSON.parse(await expectOk(kubectl('get cm settings -o json')))
      assert.equal(object.metadata.namespace, namespace)
      assert.equal(object.metadata.managedFields, undefined)
      assert.equal(await expectOk(kubectl('get cm settings -o name')), 'configmap/settings\n')
      assert.equal(await expectOk(kubectl('get cm settings -o jsonpath={.data.key}')), 'value')
      assert.equal(await expectOk(kubectl('get cm settings -o go-template={{.data.key}}')), 'value')
      const columns = await expectOk(kubectl('get cm settings -o custom-columns=N:.metadata.name,K:.data.key'))
      assert.equal(columns, 'N          K\nsettings   value\n')
      assert.match(await expectOk(kubectl('get cm -l tier=back -o yaml')), /kind: List/)
    },
  },
  {
    name: 'get selects and sorts',
    e2eOnly: true,
    async run({ kubectl }) {
      const stdin = ['c', 'a', 'b']
        .map((name) => configMapYaml(name, {}, { name, half: name < 'b' ? '1' : '2' }))
        .join('---\n')
      await expectOk(kubectl('apply -f -', { stdin }))
      const names = async (rest: string): Promise<string> => expectOk(kubectl(`get cm ${rest} -o name`))
      assert.equal(await names('-l half=2'), 'configmap/b\nconfigmap/c\n')
      assert.equal(await names('-l half!=2,half'), 'configmap/a\n')
      assert.equal(await names('--field-selector=metadata.name=b'), 'configmap/b\n')
      assert.equal(await names('-l half --chunk-size=1'), 'configmap/a\nconfigmap/b\nconfigmap/c\n')
      assert.equal(await names('a c'), 'configmap/a\nconfigmap/c\n')
      assert.match(await expectOk(kubectl('get cm -l half --sort-by=.metadata.name --no-headers')), /^a .*\nb .*\nc /)
    },
  },
  {
    name: 'get says what there is not',
    async run({ kubectl }) {
      assert.equal(
        await expectFailure(kubectl('get configmap nobody')),
        'Error from server (NotFound): configmaps "nobody" not found\n',
      )
      assert.deepEqual(await kubectl('get configmap nobody --ignore-not-found'), { code: 0, stdout: '', stderr: '' })
      assert.match((await kubectl('get deployments')).stderr, /^No resources found in /)
      assert.match(await expectFailure(kubectl('get unheardof')), /the server doesn't have a resource type "unheardof"/)
      assert.match(await expectFailure(kubectl(['get', 'pods', '--field-selector=spec.nope=1'])), /BadRequest/)
    },
  },
  {
    name: 'get -w follows changes',
    async run({ kubectl, follow }) {
      await expectOk(kubectl('create configmap first'))
      const lines: string[] = []
      for await (const line of follow('get configmaps -w --output-watch-events --no-headers')) {
        const [event = '', name = ''] = line.split(/ +/)
        if (name === 'kube-root-ca.crt') continue
        lines.push(`${event} ${name}`)
        if (lines.length === 1) await expectOk(kubectl('create configmap second'))
        else if (lines.length === 2) await expectOk(kubectl('label configmap second a=b'))
        else if (lines.length === 3) await expectOk(kubectl('delete configmap first'))
        else break
      }
      assert.deepEqual(lines, ['ADDED first', 'ADDED second', 'MODIFIED second', 'DELETED first'])
    },
  },
  {
    name: 'describe tells of workloads with their events',
    e2eOnly: true,
    async run(client) {
      const { kubectl } = client
      await runWeb(client)
      const scaled = /ScalingReplicaSet .*Scaled up replica set web-\w+ from 0 to 2/
      const replicas = /Replicas: +2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable/
      await expectSoon(kubectl, 'describe deployment web', scaled)
      await expectSoon(kubectl, 'describe deployment web', replicas)
      await expectSoon(kubectl, 'describe pods -l app=web', /Scheduled .*Successfully assigned/)
      await expectSoon(kubectl, 'describe pods -l app=web', /Controlled By: +ReplicaSet\/web-/)
      const endpoints = /Endpoints: +\d+\.\d+\.\d+\.\d+:8080,\d+\.\d+\.\d+\.\d+:8080/
      await expectSoon(kubectl, 'describe service web', endpoints)
      await expectOk(kubectl('create secret generic keys --from-literal=a=12345'))
      assert.match(await expectOk(kubectl('describe secret keys')), /a: +5 bytes/)
      await expectSoon(kubectl, 'events --for deployment/web', /Normal +ScalingReplicaSet +Deployment\/web/)
      await expectSoon(kubectl, 'get events', /SuccessfulCreate/)
    },
  },
  {
    name: 'custom resources: columns, defaults, rules, status, scale, explain',
    async run({ kubectl, unique }) {
      const group = `${unique}.example.com`
      await expectOk(kubectl('apply -f -', { stdin: gadgetCrdYaml(group) }))
      await expectOk(kubectl(`wait --for=condition=Established crd/gadgets.${group} --timeout=300s`))
      const gadget = (name: string, spec: object): string =>
        JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name }, spec })
      await expectOk(kubectl('apply -f -', { stdin: gadget('one', { size: 'large', notes: 'n' }) }))
      await expectOk(kubectl('apply --server-side -f -', { stdin: gadget('two', { size: 'small', replicas: 2 }) }))
      assert.match(await expectOk(kubectl('get gdg')), /^NAME +SIZE +REPLICAS\none +large +1\ntwo +small +2\n$/)
      assert.match(await expectOk(kubectl('get gadgets -o wide')), /NOTES\none +large +1 +n\n/)
      const wrong = await expectFailure(kubectl('apply -f -', { stdin: gadget('three', { size: 'huge' }) }))
      assert.match(wrong, /spec\.size: Unsupported value: "huge": supported values: "small", "large"/)
      const many = await expectFailure(kubectl('apply -f -', { stdin: gadget('four', { size: 'small', replicas: 4 }) }))
      assert.match(many, /small gadgets come in threes at most/)
      await expectOk(kubectl('scale gadget/one --replicas=5'))
      assert.equal(await expectOk(kubectl('get gadget one -o jsonpath={.spec.replicas}')), '5')
      const patch = '{"status":{"replicas":5,"conditions":[{"type":"Ready","status":"True"}]}}'
      await expectOk(kubectl(['patch', 'gadget', 'one', '--type=merge', '--subresource=status', '-p', patch]))
      await expectOk(kubectl('wait --for=condition=Ready gadget/one --timeout=300s'))
      assert.match(await expectOk(kubectl('explain gadget.spec.size')), /How big it is\./)
      await expectOk(kubectl(`delete crd gadgets.${group}`))
      assert.match(await expectFailure(kubectl('get gadgets', { own: true })), /doesn't have a resource type|NotFound/)
    },
  },
]

async function runWeb({ kubectl }: Client): Promise<void> {
  await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
  await expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
}
