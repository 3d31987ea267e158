import type { KubeObject } from '../../core/index.ts'
import { partOf, records, text } from '../object-parts.ts'
import { type Controller, type ControllerEnv, type Key, ownKey } from './controller.ts'
import { recordEvent } from './events.ts'
import { isEnded } from './pods/pod-factory.ts'
import { createAs, deleteAs, setMetadata, setStatus } from './writes.ts'

const claims = '/persistentvolumeclaims'
const volumes = '/persistentvolumes'
const manager = 'kube-controller-manager'
const protection = 'kubernetes.io/pvc-protection'
const volumeProtection = 'kubernetes.io/pv-protection'

/** Binds claims to volumes that are made for them, and lets both go when nothing uses them. */
export const volumeController: Controller = {
  name: 'volume',
  watches: {
    [claims]: (claim) => [keyIn(claims, claim), volumeOf(claim)].filter((key) => key !== undefined),
    [volumes]: (volume, _, index) => [keyIn(volumes, volume), ...unboundClaims(index)],
    '/pods': (pod, _, __, ___, gone) => (gone || isEnded(pod) ? claimsOf(pod) : []),
    'storage.k8s.io/storageclasses': (_, __, index) => unboundClaims(index),
  },
  reconcile: (key, env) => {
    const object = env.index.get(key.collection ?? '', key.namespace, key.name)
    if (object === undefined) return
    if (key.collection === volumes) keepVolume(object, env)
    else if (object.metadata.deletionTimestamp !== undefined) releaseClaim(object, env)
    else if (text(partOf(object, 'status')['phase']) !== 'Bound') bind(object, env)
  },
}

function bind(claim: KubeObject, env: ControllerEnv): void {
  const spec = partOf(claim, 'spec')
  const className = text(spec['storageClassName'] ?? defaultClass(env))
  const storageClass = env.index.get('storage.k8s.io/storageclasses', '', className)
  const found = existingVolume(claim, className, env)
  const provisioner = text(storageClass?.['provisioner'])
  if (found === undefined && (storageClass === undefined || provisioner === 'kubernetes.io/no-provisioner')) {
    const message = 'no persistent volumes available for this claim and no storage class is set'
    recordEvent(env.backend, 'persistentvolume-controller', claim, { type: 'Normal', reason: 'FailedBinding', message })
    setStatus(env.backend, manager, claim, { ...partOf(claim, 'status'), phase: 'Pending' })
    return
  }
  const volume = found ?? provision(claim, storageClass, className, env)
  const { name, namespace } = claim.metadata
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid: claim.metadata.uid, apiVersion: 'v1' }
  env.backend.store.put(volumes, {
    ...volume,
    spec: { ...partOf(volume, 'spec'), claimRef },
    status: { ...partOf(volume, 'status'), phase: 'Bound' },
  })
  // Binding is the control plane's own: nobody applies the name of a volume that is made on demand.
  const annotations = {
    ...claim.metadata.annotations,
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
    ...(found === undefined ? { 'volume.kubernetes.io/storage-provisioner': provisioner } : {}),
  }
  env.backend.store.put(claims, {
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: {
      ...spec,
      ...(spec['storageClassName'] === undefined ? { storageClassName: className } : {}),
      volumeName: volume.metadata.name,
    },
    status: {
      phase: 'Bound',
      accessModes: partOf(volume, 'spec')['accessModes'],
      capacity: partOf(volume, 'spec')['capacity'],
    },
  })
}

function provision(
  claim: KubeObject,
  storageClass: KubeObject | undefined,
  className: string,
  env: ControllerEnv,
): KubeObject {
  const spec = partOf(claim, 'spec')
  const provisioner = text(storageClass?.['provisioner'])
  const name = `pvc-${claim.metadata.uid}`
  const volume = createAs(env.backend, manager, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
      finalizers: [volumeProtection],
    },
    spec: {
      capacity: partOf(spec, 'resources', 'requests'),
      accessModes: spec['accessModes'],
      persistentVolumeReclaimPolicy: storageClass?.['reclaimPolicy'] ?? 'Delete',
      storageClassName: className,
      volumeMode: spec['volumeMode'] ?? 'Filesystem',
      hostPath: { path: `/var/lib/sandbox/${name}`, type: '' },
    },
  })
  const message = `Successfully provisioned volume ${name}`
  recordEvent(env.backend, provisioner, claim, { type: 'Normal', reason: 'ProvisioningSucceeded', message })
  return volume
}

/** A volume that somebody made for such claims, not taken yet. */
function existingVolume(claim: KubeObject, className: string, env: ControllerEnv): KubeObject | undefined {
  const { name, namespace } = claim.metadata
  const wanted = text(partOf(claim, 'spec')['volumeName'])
  return env.index.inNamespace(volumes, '').find((volume) => {
    const spec = partOf(volume, 'spec')
    const reserved = partOf(spec, 'claimRef')
    const mine = reserved['name'] === name && reserved['namespace'] === namespace
    if (wanted !== '') return volume.metadata.name === wanted && (mine || reserved['name'] === undefined)
    return mine || (reserved['name'] === undefined && text(spec['storageClassName']) === className && className !== '')
  })
}

/** A new volume is available; one whose claim is gone goes too, or stays as released. */
function keepVolume(volume: KubeObject, env: ControllerEnv): void {
  const spec = partOf(volume, 'spec')
  const reference = partOf(spec, 'claimRef')
  const claim = env.index.get(claims, text(reference['namespace']), text(reference['name']))
  const bound = claim !== undefined && claim.metadata.uid === reference['uid']
  const finalizers = volume.metadata.finalizers ?? []
  if (volume.metadata.deletionTimestamp !== undefined) {
    const others = finalizers.filter((finalizer) => finalizer !== volumeProtection)
    if (!bound && others.length !== finalizers.length) setMetadata(env.backend, manager, volume, { finalizers: others })
  } else if (reference['uid'] === undefined) {
    if (partOf(volume, 'status')['phase'] !== 'Available')
      setStatus(env.backend, manager, volume, { phase: 'Available' })
  } else if (!bound) {
    if (spec['persistentVolumeReclaimPolicy'] === 'Delete') deleteAs(env.backend, volume)
    else setStatus(env.backend, manager, volume, { phase: 'Released' })
  }
}

function releaseClaim(claim: KubeObject, env: ControllerEnv): void {
  const { name, namespace = '', finalizers = [] } = claim.metadata
  if (!finalizers.includes(protection)) return
  const used = env.index
    .inNamespace('/pods', namespace)
    .some((pod) => !isEnded(pod) && claimsOf(pod).some((key) => key.name === name))
  if (!used) {
    setMetadata(env.backend, manager, claim, { finalizers: finalizers.filter((finalizer) => finalizer !== protection) })
  }
}

function defaultClass(env: ControllerEnv): string {
  const annotation = 'storageclass.kubernetes.io/is-default-class'
  const classes = env.index.inNamespace('storage.k8s.io/storageclasses', '')
  return classes.find((one) => one.metadata.annotations?.[annotation] === 'true')?.metadata.name ?? ''
}

function claimsOf(pod: KubeObject): Key[] {
  return records(partOf(pod, 'spec')['volumes']).flatMap((volume) => {
    const name = text(partOf(volume, 'persistentVolumeClaim')['claimName'])
    return name === '' ? [] : [{ collection: claims, namespace: pod.metadata.namespace ?? '', name }]
  })
}

function unboundClaims(index: ControllerEnv['index']): Key[] {
  return index.inNamespace('/namespaces', '').flatMap((home) =>
    index
      .inNamespace(claims, home.metadata.name)
      .filter((claim) => partOf(claim, 'status')['phase'] !== 'Bound')
      .map((claim) => keyIn(claims, claim)),
  )
}

function volumeOf(claim: KubeObject): Key | undefined {
  const name = text(partOf(claim, 'spec')['volumeName'])
  return name === '' ? undefined : { collection: volumes, namespace: '', name }
}

function keyIn(collection: string, object: KubeObject): Key {
  return { collection, ...(ownKey(object)[0] ?? { namespace: '', name: '' }) }
}
