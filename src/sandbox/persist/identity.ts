import { parseJson, stringifyJson } from '../../core/index.ts'
import { randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newSigningKey } from '../auth/authentication/service-account-tokens.ts'
import { type SelfSigned, selfSigned } from '../tls/self-signed.ts'

/** What makes a sandbox the same one to its clients: a kubeconfig stays good as long as these stay. */
export interface Identity {
  readonly tokens: { readonly admin: string; readonly nobody: string }
  readonly tls: SelfSigned
  /** Signs the tokens of service accounts. */
  readonly signingKey: string
}

/** A fresh identity. */
export function newIdentity(): Identity {
  return {
    tokens: { admin: randomToken(), nobody: randomToken() },
    // Certificates live in the time of clients, whatever the sandbox's clock says.
    tls: selfSigned(Date.now()),
    signingKey: newSigningKey(),
  }
}

/** The identity that a folder keeps, made on the first call; its certificate is renewed when it is over. */
export function keptIdentity(folder: string): Identity {
  const path = join(folder, 'identity.json')
  const kept = readIfThere(path)
  if (kept !== undefined && new X509Certificate(kept.tls.certificate).validToDate.getTime() > Date.now()) return kept
  const identity = {
    ...newIdentity(),
    ...(kept === undefined ? {} : { tokens: kept.tokens, signingKey: kept.signingKey }),
  }
  writeFileSync(`${path}.draft`, stringifyJson(identity), { mode: 0o600 })
  renameSync(`${path}.draft`, path)
  return identity
}

function readIfThere(path: string): Identity | undefined {
  try {
    return parseJson(readFileSync(path, 'utf8')) as Identity
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
