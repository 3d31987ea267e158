import { type Context, LadingError } from '../../core/index.ts'
import type { Credentials } from './connection.ts'
import { bearer } from './header-value.ts'
import { readReferenced } from './referenced-file.ts'

/** Gives the credentials of a connection. */
export interface CredentialSource {
  get(ctx: Context): Credentials | Promise<Credentials>
  /** Called after a 401; true when there are others to try now. */
  refresh?(ctx: Context): Promise<boolean>
}

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
  let current: { readonly credentials: Credentials; readonly key: string; readonly until: number } | undefined
  let reading: Promise<Credentials> | undefined

  async function read(ctx: Context): Promise<Credentials> {
    const [token, cert, key] = await Promise.all([
      files.tokenFile === undefined ? undefined : readToken(files.tokenFile),
      files.certFile === undefined ? files.fixed.cert : readReferenced(files.certFile, 'client certificate'),
      files.keyFile === undefined ? files.fixed.key : readReferenced(files.keyFile, 'client key'),
    ])
    const fingerprint = [token, cert, key].join('\n')
    const same = current?.key === fingerprint ? current.credentials : undefined
    const credentials = same ?? {
      headers: { ...files.fixed.headers, ...(token !== undefined && { authorization: token }) },
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    }
    current = { credentials, key: fingerprint, until: ctx.clock.now() + freshMs }
    return credentials
  }

  function reload(ctx: Context): Promise<Credentials> {
    reading ??= read(ctx).finally(() => (reading = undefined))
    return reading
  }

  return {
    get: (ctx) => (current !== undefined && ctx.clock.now() < current.until ? current.credentials : reload(ctx)),
    async refresh(ctx) {
      const before = current?.credentials
      return (await reload(ctx)) !== before
    },
  }
}

async function readToken(file: string): Promise<string> {
  const invalid = (problem: string): LadingError =>
    new LadingError('auth.failed', `the token in ${file} ${problem}`, { file })
  const token = (await readReferenced(file, 'token file')).trim()
  if (token === '') throw invalid('is empty')
  return bearer(token, invalid)
}
