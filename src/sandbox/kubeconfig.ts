import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRecord, LadingError, parseJson, stringifyJson } from '../core/index.ts'

/** What a kubeconfig says of a sandbox. */
export interface KubeconfigParts {
  readonly url: string
  /** PEM of the certificate to trust; undefined over plain HTTP. */
  readonly certificate: string | undefined
  /** Users with their tokens; each becomes a context of the same name, the first one the current. */
  readonly tokens: Readonly<Record<string, string>>
}

/** Writes a kubeconfig whole or not at all, readable by its owner only. JSON is YAML that every client reads. */
export function writeKubeconfig(file: string, parts: KubeconfigParts): void {
  mkdirSync(dirname(file), { recursive: true })
  refuseForeign(file)
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${stringifyJson(kubeconfig(parts), 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

const marker = 'lading-sandbox'

// It is replaced here and removed when the sandbox stops: neither may happen to anybody's own credentials.
function refuseForeign(file: string): void {
  let text: string
  try {
    if (!statSync(file).isFile()) throw new LadingError('usage.invalid', `${file} is not a regular file`, { file })
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (text.trim() === '' || isOwn(text)) return
  throw new LadingError('usage.invalid', `${file} exists and was not written by a sandbox`, { file })
}

function isOwn(text: string): boolean {
  try {
    const value: unknown = parseJson(text)
    const extensions = isRecord(value) && Array.isArray(value['extensions']) ? value['extensions'] : []
    return extensions.some((one) => isRecord(one) && one['name'] === marker)
  } catch {
    return false
  }
}

function kubeconfig({ url, certificate, tokens }: KubeconfigParts): Record<string, unknown> {
  const authority =
    certificate === undefined ? {} : { 'certificate-authority-data': Buffer.from(certificate).toString('base64') }
  const names = Object.keys(tokens)
  return {
    apiVersion: 'v1',
    kind: 'Config',
    extensions: [{ name: marker, extension: { provider: marker } }],
    clusters: [{ name: 'sandbox', cluster: { server: url, ...authority } }],
    users: Object.entries(tokens).map(([name, token]) => ({ name, user: { token } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'sandbox', user: name } })),
    'current-context': names[0],
  }
}
