import type { ClusterEntry } from './cluster-entry.ts'
import { execCredentials } from './exec-credentials.ts'
import { readExecEntry } from './exec-entry.ts'
import type { Fields } from './fields.ts'
import { type CredentialSource, fixedSource } from './credential-source.ts'
import { fileCredentials } from './file-credentials.ts'
import { bearer, headerValue } from './header-value.ts'
import type { Environment } from './load-kubeconfig.ts'
import { pemData, referencedPath } from './referenced-file.ts'

/** What surrounds a user entry. */
export interface UserSurroundings {
  readonly cluster: ClusterEntry
  readonly env: Environment
  readonly terminal: boolean
  /** Headers of an impersonation. */
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** The credentials that a kubeconfig's user entry describes. */
export function readUserEntry(user: Fields, around: UserSurroundings): CredentialSource {
  if (user.raw('auth-provider') !== undefined) {
    const name = user.map('auth-provider')?.text('name') ?? ''
    throw user.invalid('auth-provider', `${name} is gone from Kubernetes: use the provider’s exec credential program`)
  }
  const authorization = readAuthorization(user)
  const tokenFile = referencedPath(user, 'tokenFile')
  const client = readClientCertificate(user)
  const exec = user.map('exec')
  const headers = { ...around.headers, ...(authorization !== undefined && { authorization }) }
  const fixed = { headers, ...client.fixed }
  if (exec !== undefined) {
    const others = { ...fixed.headers, ...client.fixed, ...client.files }
    if (tokenFile !== undefined || 'authorization' in others || 'cert' in others || 'certFile' in others) {
      throw user.invalid('exec', 'excludes tokens, passwords and client certificates beside it')
    }
    return execCredentials(readExecEntry(exec), around)
  }
  const files = { ...client.files, ...(tokenFile !== undefined && { tokenFile }) }
  if (Object.keys(files).length > 0) return fileCredentials({ ...files, fixed })
  return fixedSource(fixed)
}

function readAuthorization(user: Fields): string | undefined {
  const token = user.text('token')
  const username = user.text('username')
  const password = user.text('password')
  if (token !== undefined && (username !== undefined || password !== undefined)) {
    throw user.invalid('token', 'and username or password exclude each other')
  }
  if (token !== undefined) return bearer(token, (problem) => user.invalid('token', problem))
  if (username === undefined && password === undefined) return undefined
  const pair = headerValue(`${username ?? ''}:${password ?? ''}`, (problem) => user.invalid('password', problem))
  return `Basic ${Buffer.from(pair, 'latin1').toString('base64')}`
}

interface ClientCertificate {
  readonly fixed: { readonly cert?: string; readonly key?: string }
  readonly files: { readonly certFile?: string; readonly keyFile?: string }
}

function readClientCertificate(user: Fields): ClientCertificate {
  const cert = pemData(user, 'client-certificate-data')
  const key = pemData(user, 'client-key-data')
  // Data wins over a file of the same meaning, as in kubectl.
  const certFile = cert === undefined ? referencedPath(user, 'client-certificate') : undefined
  const keyFile = key === undefined ? referencedPath(user, 'client-key') : undefined
  const hasCert = cert !== undefined || certFile !== undefined
  const hasKey = key !== undefined || keyFile !== undefined
  if (hasCert && !hasKey) throw user.invalid('client-key', 'is missing beside the client certificate')
  if (hasKey && !hasCert) throw user.invalid('client-certificate', 'is missing beside the client key')
  return {
    fixed: { ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
    files: { ...(certFile !== undefined && { certFile }), ...(keyFile !== undefined && { keyFile }) },
  }
}
