import { LadingError } from '../../../core/index.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../../net/index.ts'
import { explainRegistry } from './wire-error.ts'

/** Opens the connections of a registry's client. */
export function registryNetwork(options: NetworkOptions): Network {
  const { ca } = options
  if (ca !== undefined && !ca.includes('-----BEGIN ')) {
    throw new LadingError('oci.tls', 'the certificate authority is not in PEM format')
  }
  return createNetwork(options, explainRegistry())
}
