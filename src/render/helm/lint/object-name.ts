import { isDnsLabel, isDnsLabel1035, isDnsSubdomain } from '../../../core/index.ts'

/** Whether the API server would take an object of this kind under this name. */
export function isObjectName(kind: string, name: string): boolean {
  switch (kind.toLowerCase()) {
    case 'service':
      return isDnsLabel1035(name)
    case 'namespace':
      return isDnsLabel(name)
    case 'certificatesigningrequest':
      return true
    case 'role':
    case 'clusterrole':
    case 'rolebinding':
    case 'clusterrolebinding':
      return name !== '.' && name !== '..' && !/[/%]/.test(name)
    default:
      return isDnsSubdomain(name)
  }
}
