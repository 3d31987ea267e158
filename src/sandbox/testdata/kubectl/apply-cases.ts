import assert from 'node:assert/strict'
import { type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { asYaml, configMapYaml, webYaml } from './manifests.ts'

/** Applying, on the client's and on the server's side. */
export const applyCases: readonly ClientCase[] = [
  {
    name: 'apply creates, leaves alone and configures',
    async run({ kubectl }) {
      const apply = (stdin: string): Promise<string> => expectOk(kubectl('apply -f -', { stdin }))
      assert.equal(await apply(webYaml()), 'deployment.apps/web created\nservice/web created\n')
      assert.equal(await apply(webYaml()), 'deployment.apps/web unchanged\nservice/web unchanged\n')
      assert.equal(await apply(webYaml({ replicas: 3 })), 'deployment.apps/web configured\nservice/web unchanged\n')
      const lastApplied = await expectOk(kubectl('apply view-last-applied deployment/web -o json'))
      assert.equal(JSON.parse(lastApplied).spec.replicas, 3)
    },
  },
  {
    name: 'apply takes away what the manifest no longer has, and leaves what others added',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml({ env: { A: '1', B: '2' } }) }))
      await expectOk(kubectl('set env deployment/web C=3'))
      await expectOk(kubectl('apply -f -', { stdin: webYaml({ env: { B: '2' } }) }))
      const names = 'jsonpath={.spec.template.spec.containers[0].env[*].name}'
      assert.equal(await expectOk(kubectl(['get', 'deployment', 'web', '-o', names])), 'B C')
    },
  },
  {
    name: 'apply --prune deletes what left the set',
    e2eOnly: true,
    async run({ kubectl }) {
      const labels = { set: 'one' }
      const both = [configMapYaml('a', {}, labels), configMapYaml('b', {}, labels)].join('---\n')
      await expectOk(kubectl('apply -l set=one -f -', { stdin: both }))
      const prune = 'apply --prune -l set=one --prune-allowlist=core/v1/ConfigMap -f -'
      const stdout = await expectOk(kubectl(prune, { stdin: configMapYaml('a', {}, labels) }))
      assert.equal(stdout, 'configmap/a unchanged\nconfigmap/b pruned\n')
    },
  },
  {
    name: 'apply --applyset keeps the members of a set in its parent',
    e2eOnly: true,
    async run({ kubectl }) {
      const env = { KUBECTL_APPLYSET: 'true' }
      const apply = (stdin: string): Promise<string> =>
        expectOk(kubectl('apply --prune --applyset=members -f -', { stdin, env }))
      await apply([configMapYaml('a', {}), configMapYaml('b', {})].join('---\n'))
      assert.match(await apply(configMapYaml('a', {})), /configmap\/b pruned/)
      const parent = await expectOk(kubectl('get secret members -o json', { own: true }))
      const { annotations } = JSON.parse(parent).metadata
      assert.equal(annotations['applyset.kubernetes.io/contains-group-kinds'], 'ConfigMap')
    },
  },
  {
    name: 'apply --server-side reports a conflict with its manager and field, and takes it over by force',
    async run({ kubectl }) {
      const mine = configMapYaml('shared', { key: 'mine' })
      const theirs = configMapYaml('shared', { key: 'theirs' })
      const apply = 'apply --server-side --field-manager'
      const created = await expectOk(kubectl(`${apply} me -f -`, { stdin: mine }))
      assert.equal(created, 'configmap/shared serverside-applied\n')
      const said = await expectFailure(kubectl(`${apply} them -f -`, { stdin: theirs }))
      assert.match(said, /Apply failed with 1 conflict: conflict with "me": \.data\.key/)
      await expectOk(kubectl(`${apply} them --force-conflicts -f -`, { stdin: theirs }))
      const managers = 'jsonpath={.data.key} {.metadata.managedFields[*].manager}'
      assert.equal(await expectOk(kubectl(['get', 'cm', 'shared', '-o', managers])), 'theirs them')
    },
  },
  {
    name: 'apply --server-side takes over what was applied on the client',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: configMapYaml('moved', { a: '1', b: '2' }) }))
      await expectOk(kubectl('apply --server-side -f -', { stdin: configMapYaml('moved', { a: '1' }) }))
      const moved = await expectOk(kubectl('get cm moved -o json --show-managed-fields', { own: true }))
      const { data, metadata } = JSON.parse(moved)
      assert.deepEqual(data, { a: '1' })
      assert.deepEqual(
        metadata.managedFields
          .map(({ manager, operation }: Record<string, string>) => `${manager} ${operation}`)
          .sort(),
        ['kubectl Apply', 'kubectl-last-applied Apply'],
      )
    },
  },
  {
    name: 'dry runs store nothing',
    async run({ kubectl }) {
      const stdin = webYaml()
      const client = await expectOk(kubectl('apply --dry-run=client -f -', { stdin }))
      assert.equal(client, 'deployment.apps/web created (dry run)\nservice/web created (dry run)\n')
      const server = await expectOk(kubectl('apply --dry-run=server -f -', { stdin }))
      assert.equal(server, 'deployment.apps/web created (server dry run)\nservice/web created (server dry run)\n')
      await expectOk(kubectl('apply --server-side --dry-run=server -f -', { stdin }))
      assert.match(await expectFailure(kubectl('get deployment web')), /NotFound/)
      const completed = await expectOk(
        kubectl('create --dry-run=server -o json -f -', { stdin: configMapYaml('x', {}) }),
      )
      assert.ok(JSON.parse(completed).metadata.uid)
    },
  },
  {
    name: 'unknown and doubled fields are refused, warned of or let through as asked',
    async run({ kubectl }) {
      const stdin = asYaml({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'odd' }, datum: {} })
      assert.match(
        await expectFailure(kubectl('apply -f -', { stdin })),
        /strict decoding error: unknown field "datum"/,
      )
      const warned = await kubectl('create --validate=warn -f -', { stdin })
      assert.match(warned.stderr, /Warning: unknown field "datum"/)
      await expectOk(kubectl('delete cm odd'))
      const ignored = await kubectl('create --validate=ignore -f -', { stdin })
      assert.deepEqual(ignored, { code: 0, stdout: 'configmap/odd created\n', stderr: '' })
    },
  },
  {
    name: 'what may not change is refused with the field',
    e2eOnly: true,
    async run({ kubectl }) {
      await expectOk(kubectl('apply -f -', { stdin: webYaml() }))
      const stdin = webYaml().replaceAll('"app": "web"', '"app": "other"')
      const said = await expectFailure(kubectl('apply -f -', { stdin }))
      assert.match(said, /spec\.selector: Invalid value: .*field is immutable/)
    },
  },
  {
    name: 'wrong objects are refused with every cause',
    e2eOnly: true,
    async run({ kubectl }) {
      const stdin = webYaml({ replicas: -1, image: '' })
      const said = await expectFailure(kubectl('apply -f -', { stdin }))
      assert.match(said, /spec\.replicas: Invalid value: -1/)
      assert.match(said, /spec\.template\.spec\.containers\[0\]\.image: Required value/)
    },
  },
  {
    name: 'diff ends with 0, 1 or an error',
    async run({ kubectl }) {
      const env = { KUBECTL_EXTERNAL_DIFF: 'diff -U0' }
      const before = configMapYaml('compared', { key: 'before' })
      const after = configMapYaml('compared', { key: 'after' })
      assert.equal((await kubectl('diff -f -', { stdin: before, env, own: true })).code, 1)
      await expectOk(kubectl('apply -f -', { stdin: before }))
      assert.deepEqual(await kubectl('diff -f -', { stdin: before, env }), { code: 0, stdout: '', stderr: '' })
      const changed = await kubectl('diff -f -', { stdin: after, env, own: true })
      assert.equal(changed.code, 1)
      assert.match(changed.stdout, /-\s+key: before\n\+\s+key: after/)
      const serverSide = await kubectl('diff --server-side --force-conflicts -f -', { stdin: after, env, own: true })
      assert.match(serverSide.stdout, /\+\s+key: after/)
      assert.ok((await kubectl('diff -f -', { stdin: 'kind: Nope\napiVersion: v1\n', env })).code > 1)
    },
  },
  {
    name: 'apply -k builds and applies an overlay, and diff -k agrees',
    e2eOnly: true,
    async run({ kubectl, file, folder }) {
      await file('base/web.yaml', webYaml())
      await file('base/kustomization.yaml', 'resources: [web.yaml]\n')
      await file(
        'overlay/kustomization.yaml',
        'resources: [../base]\nnamePrefix: my-\nreplicas: [{name: web, count: 3}]\nconfigMapGenerator: [{name: settings, literals: [a=b]}]\n',
      )
      const overlay = `${folder}/overlay`
      assert.match(await expectOk(kubectl(['kustomize', overlay])), /name: my-web/)
      const applied = await expectOk(kubectl(['apply', '-k', overlay]))
      assert.match(
        applied,
        /configmap\/my-settings-\w+ created\nservice\/my-web created\ndeployment.apps\/my-web created/,
      )
      assert.equal((await kubectl(['diff', '-k', overlay])).code, 0)
      assert.match(await expectOk(kubectl(['delete', '-k', overlay])), /deployment.apps "my-web" deleted/)
    },
  },
  {
    name: 'folders and lists are applied whole',
    e2eOnly: true,
    async run({ kubectl, file, folder }) {
      await file('set/a.yaml', configMapYaml('a', {}))
      await file('set/below/list.json', listOf(['b', 'c']))
      const applied = await expectOk(kubectl(['apply', '-R', '-f', `${folder}/set`]))
      assert.equal(applied, 'configmap/a created\nconfigmap/b created\nconfigmap/c created\n')
      await expectOk(kubectl(['delete', '-R', '-f', `${folder}/set`]))
    },
  },
]

function listOf(names: readonly string[]): string {
  const items = names.map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }))
  return asYaml({ apiVersion: 'v1', kind: 'List', items })
}
