import type { KubeObject } from '../../core/index.ts'
import { timestamp } from '../backend.ts'
import { type Controller, type ControllerEnv, ownKey, type Watch } from '../controllers/controller.ts'
import { number, partOf, records, text } from '../object-parts.ts'
import { unready } from './flux-helm-releases.ts'
import { reconcileFlux, type Result } from './flux-object.ts'
import { artifactOf } from './flux-sources.ts'

const collection = 'kustomize.toolkit.fluxcd.io/kustomizations'
const plurals: Readonly<Record<string, string>> = {
  GitRepository: 'gitrepositories',
  OCIRepository: 'ocirepositories',
  Bucket: 'buckets',
}

const users: Watch = (source, _, index) =>
  index.inNamespace('/namespaces', '').flatMap((home) =>
    index
      .inNamespace(collection, home.metadata.name)
      .filter((object) => partOf(object, 'spec', 'sourceRef')['name'] === source.metadata.name)
      .flatMap(ownKey),
  )

/** Stands in for Flux's kustomize-controller: takes over the revision of its source, applies nothing. */
export const fluxKustomizations: Controller = {
  name: 'flux-kustomizations',
  watches: {
    [collection]: (object, _, index) => [
      ...ownKey(object),
      ...index
        .inNamespace(collection, object.metadata.namespace ?? '')
        .filter((other) =>
          records(partOf(other, 'spec')['dependsOn']).some(({ name }) => name === object.metadata.name),
        )
        .flatMap(ownKey),
    ],
    ...Object.fromEntries(Object.values(plurals).map((plural) => [`source.toolkit.fluxcd.io/${plural}`, users])),
  },
  reconcile: (key, env) => {
    const object = env.index.get(collection, key.namespace, key.name)
    if (object === undefined) return
    reconcileFlux('kustomize-controller', object, key, env, () => apply(object, env))
  },
}

function apply(object: KubeObject, env: ControllerEnv): Result {
  const waits = unready(object, collection, env)
  if (waits !== undefined) return waits
  const { kind, name, namespace = object.metadata.namespace } = partOf(object, 'spec', 'sourceRef')
  const source = env.index.get(`source.toolkit.fluxcd.io/${plurals[text(kind)] ?? ''}`, text(namespace), text(name))
  const artifact = artifactOf(source)
  if (artifact === undefined) {
    const known = `${text(kind)}/${text(namespace)}/${text(name)}`
    const message = source === undefined ? `Source '${known}' not found` : 'Source artifact not found, retrying in 30s'
    return { ready: false, reason: 'ArtifactFailed', message }
  }
  const { revision } = artifact
  return {
    ready: true,
    reason: 'ReconciliationSucceeded',
    message: `Applied revision: ${revision}`,
    status: {
      lastAppliedRevision: revision,
      lastAttemptedRevision: revision,
      inventory: partOf(object, 'status')['inventory'] ?? { entries: [] },
      history: withHistory(object, artifact, env),
    },
  }
}

function withHistory(
  object: KubeObject,
  { revision, digest }: { revision: string; digest: string },
  env: ControllerEnv,
): Record<string, unknown>[] {
  const history = records(partOf(object, 'status')['history'])
  const known = history.find((entry) => entry['digest'] === digest)
  const { generation } = object.metadata
  const done = partOf(object, 'status')['observedGeneration'] === generation && known === history[0]
  if (known !== undefined && done) return history
  const now = timestamp(env.backend.clock)
  const entry = {
    digest,
    firstReconciled: known?.['firstReconciled'] ?? now,
    lastReconciled: now,
    lastReconciledDuration: '1ms',
    lastReconciledStatus: 'ReconciliationSucceeded',
    totalReconciliations: number(known?.['totalReconciliations'], 0) + 1,
    metadata: { revision },
  }
  return [entry, ...history.filter((other) => other !== known)].slice(0, 5)
}
