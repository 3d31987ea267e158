import { type Backend, timestamp } from './backend.ts'

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Stores the namespaces that every cluster has, where they are not there yet. */
export function seedNamespaces(backend: Backend): void {
  for (const name of namespaces) {
    if (backend.store.get('/namespaces', '', name) !== undefined) continue
    const labels = { 'kubernetes.io/metadata.name': name }
    backend.store.put('/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, uid: backend.uid(), creationTimestamp: timestamp(backend.clock), labels },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  }
}
