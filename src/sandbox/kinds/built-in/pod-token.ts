import { createHash } from 'node:crypto'
import { type Part, partsOf, textOf } from '../read.ts'

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** Gives every container of a Pod the token of its service account, unless it mounts something there itself. */
export function mountToken(spec: Part, uid: string): void {
  const containers = [...partsOf(spec, 'initContainers'), ...partsOf(spec, 'containers')]
  const open = containers.filter(
    (one) => !partsOf(one, 'volumeMounts').some((mount) => textOf(mount, 'mountPath') === tokenPath),
  )
  if (open.length === 0) return
  const name = `kube-api-access-${suffixOf(uid)}`
  for (const container of open) {
    container['volumeMounts'] = [...partsOf(container, 'volumeMounts'), { name, readOnly: true, mountPath: tokenPath }]
  }
  spec['volumes'] = [...partsOf(spec, 'volumes'), { name, projected: { sources: sources(), defaultMode: 0o644 } }]
}

function sources(): Part[] {
  return [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ]
}

function suffixOf(uid: string): string {
  const digest = createHash('sha256').update(uid).digest()
  return Array.from(digest.subarray(0, 5), (byte) => letters[byte % letters.length]).join('')
}
