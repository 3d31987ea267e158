import type { KubeObject } from '../../core/index.ts'
import { timestamp } from '../backend.ts'
import { isTrue } from '../controllers/conditions.ts'
import { type Controller, type ControllerEnv, ownKey, type Watch } from '../controllers/controller.ts'
import { number, partOf, records, text } from '../object-parts.ts'
import { digestOf, reconcileFlux, type Result } from './flux-object.ts'
import { artifactOf, chartVersion } from './flux-sources.ts'

const collection = 'helm.toolkit.fluxcd.io/helmreleases'
/** How many releases a status remembers. */
const remembered = 5

const users: Watch = (object, _, index, at) =>
  index.inNamespace('/namespaces', '').flatMap((home) =>
    index
      .inNamespace(collection, home.metadata.name)
      .filter((release) => {
        const { dependsOn, chartRef } = partOf(release, 'spec')
        const wanted = at === collection ? records(dependsOn) : [partOf(chartRef)]
        return wanted.some(({ name }) => name === object.metadata.name)
      })
      .flatMap(ownKey),
  )

/** Stands in for Flux's helm-controller: a release is recorded whenever chart or values change, nothing is installed. */
export const fluxHelmReleases: Controller = {
  name: 'flux-helm-releases',
  watches: {
    [collection]: (release, ...rest) => [...ownKey(release), ...users(release, ...rest)],
    'source.toolkit.fluxcd.io/ocirepositories': users,
    'source.toolkit.fluxcd.io/helmcharts': users,
  },
  reconcile: (key, env) => {
    const release = env.index.get(collection, key.namespace, key.name)
    if (release === undefined) return
    reconcileFlux('helm-controller', release, key, env, () => install(release, env))
  },
}

function install(release: KubeObject, env: ControllerEnv): Result {
  const waits = unready(release, collection, env)
  if (waits !== undefined) return waits
  const spec = partOf(release, 'spec')
  const chart = chartOf(release, env)
  if (chart === undefined) {
    const { kind, name } = partOf(spec, 'chartRef')
    const message = `could not get Source object: ${text(kind)} '${text(name)}' not found or without an artifact`
    return { ready: false, reason: 'ArtifactFailed', message }
  }
  const { namespace = '', name, generation = 1, annotations = {} } = release.metadata
  const force = annotations['reconcile.fluxcd.io/forceAt']
  const history = historyOf(release, chart, force, env)
  const latest = partOf(history[0])
  const first = latest['version'] === 1
  const reason = first ? 'InstallSucceeded' : 'UpgradeSucceeded'
  const action = first ? 'install' : 'upgrade'
  const target = `${text(latest['namespace'])}/${text(latest['name'])}.v${String(latest['version'])}`
  const message = `Helm ${action} succeeded for release ${target} with chart ${chart.name}@${chart.version}`
  return {
    ready: true,
    reason,
    message,
    beside: [{ type: 'Released', status: 'True', reason, message }],
    status: {
      history,
      ...(spec['chart'] === undefined ? {} : { helmChart: `${namespace}/${namespace}-${name}` }),
      lastAttemptedGeneration: generation,
      lastAttemptedRevision: chart.version,
      lastAttemptedConfigDigest: latest['configDigest'],
      lastAttemptedReleaseAction: action,
      storageNamespace: text(spec['storageNamespace']) || namespace,
      ...(force === undefined ? {} : { lastHandledForceAt: force }),
    },
  }
}

/** The releases so far, newest first, with a new one when chart or values changed or it was forced. */
function historyOf(
  release: KubeObject,
  chart: { name: string; version: string },
  force: string | undefined,
  env: ControllerEnv,
): Record<string, unknown>[] {
  const spec = partOf(release, 'spec')
  const status = partOf(release, 'status')
  const history = records(status['history'])
  const [last] = history
  const configDigest = digestOf(spec['values'] ?? {})
  const forced = force !== undefined && force !== status['lastHandledForceAt']
  if (last?.['chartVersion'] === chart.version && last['configDigest'] === configDigest && !forced) return history
  const version = number(last?.['version'], 0) + 1
  const now = timestamp(env.backend.clock)
  const name = text(spec['releaseName']) || release.metadata.name
  const snapshot = {
    digest: digestOf([name, chart, configDigest, version]),
    name,
    namespace: text(spec['targetNamespace']) || (release.metadata.namespace ?? ''),
    version,
    status: 'deployed',
    chartName: chart.name,
    chartVersion: chart.version,
    configDigest,
    firstDeployed: last?.['firstDeployed'] ?? now,
    lastDeployed: now,
  }
  const older = history.map((entry) => (entry['status'] === 'deployed' ? { ...entry, status: 'superseded' } : entry))
  return [snapshot, ...older].slice(0, remembered)
}

function chartOf(release: KubeObject, { index }: ControllerEnv): { name: string; version: string } | undefined {
  const spec = partOf(release, 'spec')
  const chart = partOf(spec, 'chart', 'spec')
  if (text(chart['chart']) !== '') return { name: text(chart['chart']), version: chartVersion(text(chart['version'])) }
  const { kind, name, namespace = release.metadata.namespace } = partOf(spec, 'chartRef')
  const plural = kind === 'HelmChart' ? 'helmcharts' : 'ocirepositories'
  const source = index.get(`source.toolkit.fluxcd.io/${plural}`, text(namespace), text(name))
  const artifact = artifactOf(source)
  return artifact === undefined ? undefined : { name: text(name), version: chartVersion(artifact.revision) }
}

/** Why an object has to wait for those that it depends on. */
export function unready(object: KubeObject, kind: string, { index }: ControllerEnv): Result | undefined {
  for (const { name, namespace = object.metadata.namespace } of records(partOf(object, 'spec')['dependsOn'])) {
    const dependency = index.get(kind, text(namespace), text(name))
    const ready = dependency !== undefined && isTrue(dependency, 'Ready')
    const message = `dependency '${text(namespace)}/${text(name)}' is not ready`
    if (!ready) return { ready: false, reason: 'DependencyNotReady', message }
  }
  return undefined
}
