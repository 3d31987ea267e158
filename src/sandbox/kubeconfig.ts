import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

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
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${JSON.stringify(kubeconfig(parts), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function kubeconfig({ url, certificate, tokens }: KubeconfigParts): Record<string, unknown> {
  const authority =
    certificate === undefined ? {} : { 'certificate-authority-data': Buffer.from(certificate).toString('base64') }
  const names = Object.keys(tokens)
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'sandbox', cluster: { server: url, ...authority } }],
    users: Object.entries(tokens).map(([name, token]) => ({ name, user: { token } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'sandbox', user: name } })),
    'current-context': names[0],
  }
}
