import assert from 'node:assert/strict'
import { type Client, type ClientCase, expectFailure, expectOk } from '../client/client-case.ts'
import { writeShopChart } from './shop-chart.ts'

const quick = '--wait --timeout=300s'

/** What users do with releases of Helm 4. */
export const releaseCases: readonly ClientCase[] = [
  {
    name: 'install with hooks and --wait, then test, list, status, get and uninstall',
    async run(client) {
      const { helm, kubectl } = client
      const chart = await writeShopChart(client, { hooks: true })
      const installed = await expectOk(helm(['install', 'shop', chart, ...quick.split(' ')]))
      assert.match(installed, /STATUS: deployed\nREVISION: 1\n/)
      assert.match(installed, /Say hello to shop\./)
      assert.equal(await expectOk(kubectl('get deployment shop -o jsonpath={.status.readyReplicas}')), '2')
      const jobs = await expectOk(kubectl('get jobs -o jsonpath={.items[*].metadata.name}'))
      assert.equal(jobs, 'shop-announce shop-prepare')
      assert.match(await expectOk(helm('test shop --timeout=300s')), /TEST SUITE: +shop-check\n[^]*Phase: +Succeeded/)
      const [release] = JSON.parse(await expectOk(helm('list -o json')))
      assert.deepEqual(
        [release.name, release.revision, release.status, release.chart],
        ['shop', '1', 'deployed', 'shop-1.0.0'],
      )
      assert.match(await expectOk(helm('status shop', { own: true })), /STATUS: deployed/)
      const all = await expectOk(helm('get all shop'))
      for (const part of ['COMPUTED VALUES', 'HOOKS:', 'MANIFEST:', 'NOTES:', 'kind: Deployment'])
        assert.ok(all.includes(part), part)
      assert.match(await expectOk(helm('get values shop --all')), /greeting: hello/)
      assert.match(await expectOk(helm('get metadata shop')), /CHART: shop/)
      assert.match(await expectOk(helm(`uninstall shop ${quick}`)), /release "shop" uninstalled/)
      assert.equal(
        await expectOk(kubectl('get deployments,services,configmaps -l app.kubernetes.io/managed-by=Helm -o name')),
        '',
      )
      assert.equal(await expectOk(helm('list -q')), '')
    },
  },
  {
    name: 'upgrade changes, upgrade with nothing changed writes nothing, rollback goes back',
    async run(client) {
      const { helm, kubectl } = client
      const chart = await writeShopChart(client)
      await expectOk(helm(['install', 'shop', chart, ...quick.split(' ')]))
      await expectOk(helm(['upgrade', 'shop', chart, '--set=greeting=bonjour,replicas=3', ...quick.split(' ')]))
      assert.equal(await greeting(client), 'bonjour')
      const before = await versions(client)
      assert.match(
        await expectOk(helm(['upgrade', 'shop', chart, '--reuse-values', ...quick.split(' ')])),
        /REVISION: 3/,
      )
      assert.deepEqual(await versions(client), before)
      assert.match(await expectOk(helm(`rollback shop 1 ${quick}`)), /Rollback was a success!/)
      assert.equal(await greeting(client), 'hello')
      assert.equal(await expectOk(kubectl('get deployment shop -o jsonpath={.status.readyReplicas}')), '2')
      const history = JSON.parse(await expectOk(helm('history shop -o json')))
      assert.deepEqual(
        history.map(
          (entry: Record<string, string>) => `${entry['revision']} ${entry['status']} ${entry['description']}`,
        ),
        [
          '1 superseded Install complete',
          '2 superseded Upgrade complete',
          '3 superseded Upgrade complete',
          '4 deployed Rollback to 1',
        ],
      )
    },
  },
  {
    name: 'uninstall --keep-history remembers, and rollback brings it back',
    async run(client) {
      const { helm } = client
      const chart = await writeShopChart(client)
      await expectOk(helm(['install', 'shop', chart]))
      await expectOk(helm('uninstall shop --keep-history --wait'))
      assert.match(await expectOk(helm('status shop', { own: true })), /STATUS: uninstalled/)
      await expectOk(helm(`rollback shop 1 ${quick}`))
      assert.equal(await greeting(client), 'hello')
    },
  },
  {
    name: 'a hook that fails fails the install, and the release says so',
    async run(client) {
      const { helm, kubectl } = client
      const chart = await writeShopChart(client, { hooks: true })
      const failing = String.raw`--set=hook.prepare.lading\.dev/simulate=job-fail`
      const said = await expectFailure(helm(['install', 'shop', chart, failing, '--timeout=300s'], { own: true }))
      assert.match(said, /pre-install/)
      assert.match(await expectOk(helm('status shop', { own: true })), /STATUS: failed/)
      assert.equal(await expectOk(kubectl('get deployments -o name')), '')
    },
  },
  {
    name: 'an upgrade that does not become ready is rolled back when asked',
    async run(client) {
      const { helm } = client
      const chart = await writeShopChart(client)
      await expectOk(helm(['install', 'shop', chart, ...quick.split(' ')]))
      const broken = [String.raw`--set=pod.lading\.dev/simulate=image-pull-error`, '--set=greeting=broken']
      await expectFailure(
        helm(['upgrade', 'shop', chart, ...broken, '--rollback-on-failure', '--timeout=8s'], { own: true }),
      )
      assert.equal(await greeting(client), 'hello')
      const history = JSON.parse(await expectOk(helm('history shop -o json', { own: true })))
      assert.deepEqual(
        history.map((entry: Record<string, string>) => entry['status']),
        ['superseded', 'failed', 'deployed'],
      )
    },
  },
  {
    name: 'an install without --wait takes what is there for granted; a second one is refused',
    async run(client) {
      const { helm, kubectl } = client
      const chart = await writeShopChart(client)
      await expectOk(helm(['install', 'shop', chart, '--set=replicas=1']))
      assert.match(await expectFailure(helm(['install', 'shop', chart])), /cannot reuse a name that is still in use/)
      await expectOk(kubectl('create configmap other'))
      assert.match(
        await expectFailure(helm(['install', 'other', chart])),
        /ConfigMap "other" in namespace .* exists and cannot be imported into the current release/,
      )
      await expectOk(helm(['upgrade', '--install', 'fresh', chart, ...quick.split(' ')]))
    },
  },
  {
    name: '--create-namespace, dry runs by the server and template --dry-run=server',
    async run(client) {
      const { helm, kubectl, unique } = client
      const chart = await writeShopChart(client)
      assert.match(await expectOk(helm(['template', 'shop', chart, '--dry-run=server'])), /kind: Deployment/)
      assert.match(
        await expectOk(helm(['install', 'shop', chart, '--dry-run=server'], { own: true })),
        /pending-install/,
      )
      assert.equal(await expectOk(helm('list -q')), '')
      const other = `${unique}-made`
      await expectOk(helm(['install', 'shop', chart, '--namespace', other, '--create-namespace', '--set=replicas=1']))
      assert.equal(await expectOk(kubectl(`get configmap shop -n ${other} -o jsonpath={.data.greeting}`)), 'hello')
      assert.match(await expectOk(helm('list -A -q', { own: true })), /shop/)
      await expectOk(kubectl(`delete namespace ${other} --wait=false`))
    },
  },
  {
    name: 'a chart with a CRD and a resource of it',
    async run(client) {
      const { helm, kubectl, unique } = client
      const group = `${unique}.example.com`
      const chart = await writeShopChart(client, { crdGroup: group })
      await expectOk(helm(['install', 'shop', chart, ...quick.split(' ')]))
      assert.equal(await expectOk(kubectl('get gadget shop -o jsonpath={.spec.size}')), 'large')
      await expectOk(helm(`uninstall shop ${quick}`))
      // Helm never deletes CRDs.
      await expectOk(kubectl(`delete crd gadgets.${group}`))
    },
  },
]

function greeting({ kubectl }: Client): Promise<string> {
  return expectOk(kubectl('get configmap shop -o jsonpath={.data.greeting}'))
}

async function versions({ kubectl }: Client): Promise<string> {
  const spec =
    'jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.generation} {.metadata.resourceVersion} {end}'
  return expectOk(kubectl(['get', 'services,configmaps', 'shop', '-o', spec], { own: true }))
}
