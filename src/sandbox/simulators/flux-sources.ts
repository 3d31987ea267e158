import { createHash } from 'node:crypto'
import { type KubeObject, stringifyJson } from '../../core/index.ts'
import { timestamp } from '../backend.ts'
import type { Controller, ControllerEnv, Key, Watch } from '../controllers/controller.ts'
import { partOf, text } from '../object-parts.ts'
import { digestOf, reconcileFlux, type Result } from './flux-object.ts'

const group = 'source.toolkit.fluxcd.io'
const kinds = ['gitrepositories', 'ocirepositories', 'helmrepositories', 'helmcharts', 'buckets']

const own: Watch = ({ metadata: { namespace = '', name } }, _, __, collection) => [{ collection, namespace, name }]

/** Stands in for Flux's source-controller: every source has an artifact with a revision that follows from its spec. */
export const fluxSources: Controller = {
  name: 'flux-sources',
  watches: Object.fromEntries(kinds.map((kind) => [`${group}/${kind}`, own])),
  reconcile: (key, env) => {
    const source = env.index.get(key.collection ?? '', key.namespace, key.name)
    if (source === undefined) return
    // A HelmRepository of an OCI registry is only looked at by those who use it.
    if (source.kind === 'HelmRepository' && partOf(source, 'spec')['type'] === 'oci') return
    reconcileFlux('source-controller', source, key, env, () => store(source, key, env))
  },
}

/** The artifact that a source has stored; undefined while it has none. */
export function artifactOf(source: KubeObject | undefined): { revision: string; digest: string } | undefined {
  const { revision, digest } = partOf(source, 'status', 'artifact')
  return text(revision) === '' ? undefined : { revision: text(revision), digest: text(digest) }
}

function store(source: KubeObject, key: Key, env: ControllerEnv): Result {
  const revision = source.metadata.annotations?.['lading.dev/simulate-revision'] ?? revisionOf(source)
  const known = partOf(source, 'status', 'artifact')
  const path = `${source.kind.toLowerCase()}/${key.namespace}/${key.name}/${revision.replaceAll(/[^\w.-]/g, '-')}.tar.gz`
  const artifact =
    known['revision'] === revision
      ? known
      : {
          path,
          url: `http://source-controller.flux-system.svc.cluster.local./${path}`,
          revision,
          digest: digestOf([revision, source['spec']]),
          lastUpdateTime: timestamp(env.backend.clock),
          size: 1024,
        }
  const chart = source.kind === 'HelmChart'
  const name = text(partOf(source, 'spec')['chart'])
  const message = chart
    ? `pulled '${name}' chart with version '${revision}'`
    : `stored artifact for revision '${revision}'`
  const reason = chart ? 'ChartPullSucceeded' : 'Succeeded'
  const status = chart ? { artifact, observedChartName: name } : { artifact }
  return {
    ready: true,
    reason,
    message,
    beside: [{ type: 'ArtifactInStorage', status: 'True', reason, message }],
    status,
  }
}

function revisionOf(source: KubeObject): string {
  const spec = partOf(source, 'spec')
  const ref = partOf(spec, 'ref')
  const sha1 = createHash('sha1')
    .update(stringifyJson([spec['url'], ref]))
    .digest('hex')
  switch (source.kind) {
    case 'GitRepository': {
      const commit = text(ref['commit']) || sha1
      const name = text(ref['name']) || text(ref['semver']) || text(ref['tag']) || text(ref['branch'])
      return name === '' && ref['commit'] !== undefined ? `sha1:${commit}` : `${name || 'master'}@sha1:${commit}`
    }
    case 'OCIRepository': {
      const digest = text(ref['digest']) || digestOf([spec['url'], ref])
      const tag = text(ref['tag']) || text(ref['semver']) || 'latest'
      return ref['digest'] === undefined ? `${tag}@${digest}` : digest
    }
    case 'HelmChart':
      return chartVersion(text(spec['version']))
    default:
      return digestOf([spec['url'] ?? spec['endpoint'], spec['bucketName']])
  }
}

/** The version that a range would come to, were there exactly one chart. */
export function chartVersion(range: string): string {
  return /\d+\.\d+\.\d+[\w.+-]*/.exec(range)?.[0] ?? '1.0.0'
}
