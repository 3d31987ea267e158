import assert from 'node:assert/strict'
import { type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { webYaml } from './manifests.ts'

/** What the server says of itself. */
export const serverCases: readonly ClientCase[] = [
  {
    name: 'api-resources and api-versions list what is served',
    async run({ kubectl }) {
      const resources = await expectOk(kubectl('api-resources -o wide', { own: true }))
      assert.match(
        resources,
        /\ndeployments +deploy +apps\/v1 +true +Deployment +create,delete,deletecollection,get,list,patch,update,watch +all\n/,
      )
      assert.match(resources, /\nnamespaces +ns +v1 +false +Namespace /)
      await expectOk(kubectl('api-resources --namespaced=false -o name --api-group=rbac.authorization.k8s.io'))
      const versions = (await expectOk(kubectl('api-versions', { own: true }))).split('\n')
      for (const version of ['v1', 'apps/v1', 'batch/v1', 'networking.k8s.io/v1', 'coordination.k8s.io/v1']) {
        assert.ok(versions.includes(version), version)
      }
    },
  },
  {
    name: 'explain reads the schema',
    e2eOnly: true,
    async run({ kubectl }) {
      const strategy = await expectOk(kubectl('explain deployment.spec.strategy', { own: true }))
      assert.match(strategy, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n\nFIELD: strategy <DeploymentStrategy>/)
      assert.match(strategy, /\n {2}rollingUpdate\t<RollingUpdateDeployment>\n/)
      const all = await expectOk(kubectl('explain configmap --recursive', { own: true }))
      assert.match(all, /binaryData\t<map\[string\]string>/)
      assert.match(await expectFailure(kubectl('explain pod.spec.nope')), /field "nope" does not exist/)
    },
  },
  {
    name: 'version, cluster-info, config view and raw paths',
    e2eOnly: true,
    async run({ kubectl }) {
      const version = JSON.parse(await expectOk(kubectl('version -o json', { own: true })))
      assert.equal(version.serverVersion.minor, '35')
      assert.match(await expectOk(kubectl('cluster-info', { own: true })), /Kubernetes control plane.* is running at /)
      assert.match(await expectOk(kubectl('config view', { own: true })), /token: REDACTED/)
      assert.equal(await expectOk(kubectl('get --raw /readyz')), 'ok')
      const list = JSON.parse(
        await expectOk(kubectl('get --raw /api/v1/namespaces/default/configmaps?limit=1', { own: true })),
      )
      assert.equal(list.kind, 'ConfigMapList')
      assert.match(await expectFailure(kubectl('get --raw /apis/nope.example.com/v1')), /NotFound/)
    },
  },
  {
    name: 'auth says who is asking and what they may do',
    async run({ kubectl }) {
      const who = JSON.parse(await expectOk(kubectl('auth whoami -o json', { own: true })))
      assert.ok(who.status.userInfo.groups.includes('system:masters'))
      assert.equal(await expectOk(kubectl('auth can-i create deployments')), 'yes\n')
      assert.equal((await kubectl('auth can-i create deployments --as=nobody')).stdout, 'no\n')
      assert.match(await expectOk(kubectl('auth can-i --list', { own: true })), /\*\.\* +\[\] +\[\] +\[\*\]/)
    },
  },
  {
    name: 'logs of a pod, a container and a workload',
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      await expectOk(kubectl('rollout status deployment/web --timeout=300s', { own: true }))
      for (const line of [
        'logs deployment/web',
        'logs -l app=web --all-containers',
        'logs deployment/web -c web --tail=1',
      ]) {
        assert.equal((await kubectl(line, { own: true })).code, 0, line)
      }
      assert.match(
        await expectFailure(kubectl('logs deployment/web -c nope', { own: true })),
        /container nope is not valid/,
      )
    },
  },
  {
    name: 'what needs a machine is refused plainly',
    sandboxOnly: 'real nodes do these things',
    async run({ kubectl }) {
      await expectOk(kubectl('run alone --image=registry.example/web:1'))
      await expectOk(kubectl('wait --for=condition=Ready pod/alone --timeout=300s'))
      for (const line of ['exec alone -- date', 'attach alone']) {
        assert.match(await expectFailure(kubectl(line)), /sandbox/, line)
      }
      assert.match(await expectFailure(kubectl('top pods')), /Metrics API not available/)
    },
  },
]
