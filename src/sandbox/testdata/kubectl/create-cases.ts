import assert from 'node:assert/strict'
import { type ClientCase, expectFailure, expectOk, expectSoon } from '../client/client-case.ts'
import { configMapYaml, webYaml } from './manifests.ts'

/** `kubectl create` in all its forms. */
export const createCases: readonly ClientCase[] = [
  {
    name: 'create makes configuration: ConfigMaps, Secrets, ServiceAccounts, quotas',
    e2eOnly: true,
    async run({ kubectl, file }) {
      const path = await file('app.properties', 'a=1\nb=2\n')
      await created(kubectl(['create', 'configmap', 'literal', '--from-literal=a=b', `--from-file=${path}`]))
      await created(kubectl(['create', 'configmap', 'env', `--from-env-file=${path}`]))
      await created(kubectl('create secret generic plain --from-literal=password=swordfish'))
      await created(
        kubectl(
          'create secret docker-registry pull --docker-server=registry.example --docker-username=u --docker-password=p',
        ),
      )
      await created(kubectl('create serviceaccount robot'))
      await created(kubectl('create quota limits --hard=pods=50,services=10'))
      const env = await expectOk(kubectl('get configmap env -o jsonpath={.data}'))
      assert.deepEqual(JSON.parse(env), { a: '1', b: '2' })
      const secret = await expectOk(kubectl('get secret plain -o jsonpath={.type}/{.data.password}'))
      assert.equal(secret, `Opaque/${Buffer.from('swordfish').toString('base64')}`)
    },
  },
  {
    name: 'create makes workloads: Deployments, Jobs, CronJobs, Pods',
    async run({ kubectl }) {
      await created(kubectl('create deployment web --image=registry.example/web:1 --replicas=2 --port=8080'))
      await created(kubectl('create job once --image=registry.example/job:1 -- run me'))
      await created(kubectl(['create', 'cronjob', 'nightly', '--image=registry.example/job:1', '--schedule=0 3 * * *']))
      await created(kubectl('create job now --from=cronjob/nightly'))
      await created(kubectl('run alone --image=registry.example/web:1 --restart=Never --labels=app=alone'))
      await expectOk(kubectl('wait --for=condition=Complete job/once job/now --timeout=300s', { own: true }))
      await expectOk(kubectl('wait --for=condition=Available deployment/web --timeout=300s', { own: true }))
    },
  },
  {
    name: 'create makes ways in: Services of each type, an Ingress, expose',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await created(kubectl('create service clusterip one --tcp=80:8080'))
      await created(kubectl('create service nodeport two --tcp=80:8080'))
      await created(kubectl('create service loadbalancer three --tcp=80'))
      await created(kubectl('create service externalname four --external-name=example.com'))
      await created(kubectl('create ingress front --rule=example.com/*=web:80 --class=nginx'))
      await expectOk(kubectl('expose deployment web --name=exposed --port=80 --target-port=http --type=ClusterIP'))
      const types = 'jsonpath={range .items[*]}{.metadata.name}:{.spec.type} {end}'
      const services = await expectOk(kubectl(['get', 'services', '-o', types]))
      assert.equal(
        services,
        'exposed:ClusterIP four:ExternalName one:ClusterIP three:LoadBalancer two:NodePort web:ClusterIP ',
      )
      const address = await expectOk(kubectl('get service web -o jsonpath={.spec.clusterIP}', { own: true }))
      assert.match(address, /^\d+\.\d+\.\d+\.\d+$/)
      const port = await expectOk(kubectl('get service two -o jsonpath={.spec.ports[0].nodePort}', { own: true }))
      assert.ok(Number(port) >= 30000 && Number(port) < 32768)
    },
  },
  {
    name: 'create makes rights, budgets and priorities, and auth can-i follows them',
    async run({ kubectl, namespace, unique }) {
      await created(kubectl('create serviceaccount robot'))
      await created(kubectl('create role reader --verb=get,list --resource=configmaps'))
      await created(kubectl(`create rolebinding robot-reads --role=reader --serviceaccount=${namespace}:robot`))
      const robot = `--as=system:serviceaccount:${namespace}:robot`
      await expectSoon(kubectl, `auth can-i list configmaps ${robot}`, /^yes$/m)
      assert.equal(await expectOk(kubectl(`auth can-i list configmaps ${robot}`)), 'yes\n')
      assert.equal((await kubectl(`auth can-i delete configmaps ${robot}`)).stdout, 'no\n')
      assert.match(await expectFailure(kubectl(`get secrets ${robot}`)), /Forbidden.*cannot list resource "secrets"/)
      await created(kubectl('create poddisruptionbudget calm --selector=app=web --min-available=1'))
      await created(kubectl(`create clusterrole ${unique} --verb=get --resource=nodes`))
      await created(kubectl(`create clusterrolebinding ${unique} --clusterrole=${unique} --user=someone`))
      await created(kubectl(`create priorityclass ${unique} --value=10`))
      await expectOk(kubectl(`delete clusterrole/${unique} clusterrolebinding/${unique} priorityclass/${unique}`))
    },
  },
  {
    name: 'create token gives a token that the server accepts',
    async run({ kubectl, namespace }) {
      await created(kubectl('create serviceaccount robot'))
      const token = (await expectOk(kubectl('create token robot --duration=1h', { own: true }))).trim()
      const server = await expectOk(
        kubectl(['config', 'view', '--minify', '-o', 'jsonpath={.clusters[0].cluster.server}'], { own: true }),
      )
      const said = await expectFailure(
        kubectl(
          [
            '--kubeconfig=/dev/null',
            `--server=${server}`,
            '--insecure-skip-tls-verify',
            `--token=${token}`,
            'get',
            'cm',
          ],
          {
            own: true,
          },
        ),
      )
      assert.match(said, new RegExp(`system:serviceaccount:${namespace}:robot" cannot list resource "configmaps"`))
    },
  },
  {
    name: 'create refuses a second one, an unknown namespace, an unknown kind and a wrong name',
    async run({ kubectl }) {
      const stdin = configMapYaml('one', {})
      await created(kubectl('create -f -', { stdin }))
      assert.match(
        await expectFailure(kubectl('create -f -', { stdin })),
        /Error from server \(AlreadyExists\).*configmaps "one" already exists/,
      )
      assert.match(
        await expectFailure(kubectl('create configmap x --namespace=nowhere-at-all')),
        /failed to create configmap: namespaces "nowhere-at-all" not found/,
      )
      assert.match(
        await expectFailure(
          kubectl('apply -f -', { stdin: 'apiVersion: example.com/v1\nkind: Nope\nmetadata: {name: x}\n' }),
        ),
        /no matches for kind "Nope" in version "example.com\/v1"/,
      )
      const said = await expectFailure(kubectl('create configmap UPPER'))
      assert.match(said, /metadata\.name: Invalid value: "UPPER"/)
    },
  },
  {
    name: 'generated names are told',
    e2eOnly: true,
    async run({ kubectl }) {
      const stdin = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: many-}\n'
      const first = await expectOk(kubectl('create -f - -o name', { stdin, own: true }))
      const second = await expectOk(kubectl('create -f - -o name', { stdin, own: true }))
      assert.match(first, /^configmap\/many-[a-z0-9]{5}\n$/)
      assert.notEqual(first, second)
    },
  },
]

async function created(running: Promise<{ code: number; stdout: string; stderr: string }>): Promise<void> {
  assert.match(await expectOk(running), / created\n$/)
}
