const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const label1123 = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/

/** Whether the API server would take an object of this kind under this name. */
export function isObjectName(kind: string, name: string): boolean {
  switch (kind.toLowerCase()) {
    case 'service':
      return name.length <= 63 && label1035.test(name)
    case 'namespace':
      return name.length <= 63 && label1123.test(name)
    case 'certificatesigningrequest':
      return true
    case 'role':
    case 'clusterrole':
    case 'rolebinding':
    case 'clusterrolebinding':
      return name !== '.' && name !== '..' && !/[/%]/.test(name)
    default:
      return name.length <= 253 && subdomain.test(name)
  }
}
