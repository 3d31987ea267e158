import { shape, text } from '../load/decode.ts'
import { Resource } from '../resource/resource.ts'
import { newMap } from '../yaml/value.ts'

const args = shape({
  cloud: text,
  kubernetesService: shape({ name: text, namespace: text }),
  serviceAccount: shape({ name: text, projectId: text }),
})

/** Makes the ServiceAccount that stands for a GKE service account. */
export function generateIamPolicy(config: unknown): Resource {
  const { kubernetesService, serviceAccount } = args(config, { file: 'IAMPolicyGenerator', path: '', strict: false })
  const { name, projectId } = serviceAccount
  const annotations = newMap({ 'iam.gke.io/gcp-service-account': `${name}@${projectId}.iam.gserviceaccount.com` })
  const metadata = newMap({ annotations, name: kubernetesService.name })
  if (kubernetesService.namespace !== '') metadata['namespace'] = kubernetesService.namespace
  return new Resource(newMap({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }))
}
