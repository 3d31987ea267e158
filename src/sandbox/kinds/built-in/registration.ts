import { isDnsSubdomain, type KubeObject } from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { invalidValue, required } from '../causes.ts'
import type { Family } from '../family.ts'
import { allMetadata } from '../kind-rules.ts'
import { numberOf, type Part, textOf } from '../read.ts'

/** What extends the API: webhooks, admission policies, API services, flow control. */
export const registration: Family = {
  checks: {
    'admissionregistration.v1.ValidatingWebhook': checkWebhook,
    'admissionregistration.v1.MutatingWebhook': checkWebhook,
  },
  kinds: {
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration': { generation: true },
    'admissionregistration.k8s.io/MutatingWebhookConfiguration': { generation: true },
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy': { generation: true },
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': { generation: true },
    'apiregistration.k8s.io/APIService': { statusKeeps: allMetadata, validate: validateService },
    'flowcontrol.apiserver.k8s.io/FlowSchema': { generation: true, statusKeeps: allMetadata },
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': { generation: true, statusKeeps: allMetadata },
    'certificates.k8s.io/CertificateSigningRequest': { validate: validateRequest },
  },
}

function checkWebhook(webhook: Part, path: string, causes: Cause[]): void {
  const name = textOf(webhook, 'name')
  if (name !== '' && (!isDnsSubdomain(name) || name.split('.').length < 3)) {
    causes.push(invalidValue(`${path}name`, name, 'should be a domain with at least three segments separated by dots'))
  }
  if (((webhook['admissionReviewVersions'] ?? []) as unknown[]).length === 0) {
    causes.push(required(`${path}admissionReviewVersions`, 'must specify one of v1, v1beta1'))
  }
  const client = partOf(webhook, 'clientConfig')
  if ((client['url'] === undefined) === (client['service'] === undefined)) {
    causes.push(required(`${path}clientConfig`, 'exactly one of url or service is required'))
  }
}

function validateService(object: KubeObject): Cause[] {
  const spec = partOf(object, 'spec')
  const causes: Cause[] = []
  const name = `${textOf(spec, 'version')}.${textOf(spec, 'group')}`
  if (object.metadata.name !== name)
    causes.push(
      invalidValue('metadata.name', object.metadata.name, `must be \`spec.version+"."+spec.group\`: "${name}"`),
    )
  const ranges: [string, number][] = [
    ['groupPriorityMinimum', 20_000],
    ['versionPriority', 1000],
  ]
  for (const [field, max] of ranges) {
    const value = numberOf(spec, field) ?? 0
    if (value <= 0 || value > max)
      causes.push(invalidValue(`spec.${field}`, value, `must be positive and at most ${max}`))
  }
  return causes
}

function validateRequest(object: KubeObject): Cause[] {
  const request = Buffer.from(textOf(partOf(object, 'spec'), 'request'), 'base64').toString()
  if (request.startsWith('-----BEGIN CERTIFICATE REQUEST-----')) return []
  return [invalidValue('spec.request', '', 'PEM block type must be CERTIFICATE REQUEST')]
}
