import { defined, LadingError, monotonicNow } from '../../core/index.ts'
import type { Credentials } from './connection.ts'
import { type CredentialSource, leasedSource } from './credential-source.ts'
import { bearer } from './header-value.ts'
import { readReferenced } from './referenced-file.ts'

/** Files that hold credentials, and what does not come from files. */
export interface CredentialFiles {
  readonly tokenFile?: string
  readonly certFile?: string
  readonly keyFile?: string
  readonly fixed: Credentials
}

/** How long what was read is used; kubelets replace a service account's token long before it expires. */
const freshMs = 10_000

/** Credentials from files, which are read again as time passes and after a 401, because their owners rotate them. */
export function fileCredentials(files: CredentialFiles): CredentialSource {
  const { tokenFile, certFile, keyFile, fixed } = files
  return leasedSource(async (ctx) => {
    const [token, cert, key] = await Promise.all([
      tokenFile === undefined ? undefined : readToken(tokenFile),
      certFile === undefined ? fixed.cert : readReferenced(certFile, 'client certificate'),
      keyFile === undefined ? fixed.key : readReferenced(keyFile, 'client key'),
    ])
    const credentials = {
      headers: { ...fixed.headers, ...(token !== undefined && { authorization: token }) },
      ...defined({ cert, key }),
    }
    return { credentials, freshUntil: monotonicNow(ctx.clock) + freshMs }
  })
}

async function readToken(file: string): Promise<string> {
  const invalid = (problem: string): LadingError =>
    new LadingError('auth.failed', `the token in ${file} ${problem}`, { file })
  const token = (await readReferenced(file, 'token file')).trim()
  if (token === '') throw invalid('is empty')
  return bearer(token, invalid)
}
