import { defined, type LadingError } from '../../core/index.ts'
import type { TlsSettings } from './connection.ts'
import type { Fields } from './fields.ts'
import { type Environment } from './load-kubeconfig.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { pemData, readReferenced, referencedPath } from './referenced-file.ts'

/** An API server as a kubeconfig's cluster entry describes it. */
export interface ClusterEntry {
  readonly server: string
  readonly tls: TlsSettings
  readonly proxyUrl?: string
  /** What exec credential programs may be told beside the above: the entry's own extension. */
  readonly execConfig?: unknown
}

/** Reads a cluster entry and the files that it names. */
export async function readClusterEntry(fields: Fields, env: Environment): Promise<ClusterEntry> {
  const given = fields.text('server')
  if (given === undefined) throw fields.invalid('server', 'is missing')
  const server = normalizeServer(given, (problem) => fields.invalid('server', problem))
  const tls = await readTls(fields)
  const proxyUrl = readProxy(fields) ?? proxyFromEnvironment(server, env)
  const execConfig = fields
    .maps('extensions')
    .find((each) => each.text('name') === 'client.authentication.k8s.io/exec')
    ?.raw('extension')
  return { server, tls, proxyUrl, execConfig }
}

/** The URL of an API server without trailing slash; anything but plain http and https URLs is refused. */
export function normalizeServer(given: string, invalid: (problem: string) => LadingError): string {
  // kubectl lets the scheme out; unlike kubectl, credentials then never go over plain http.
  const text = given.includes('://') ? given : `https://${given}`
  if (!URL.canParse(text)) throw invalid('is no URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('must be an https or http URL')
  if (url.username !== '' || url.password !== '') throw invalid('must not hold a user or password')
  if (url.search !== '' || url.hash !== '') throw invalid('must have neither query nor fragment')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

async function readTls(fields: Fields): Promise<TlsSettings> {
  const data = pemData(fields, 'certificate-authority-data')
  const path = referencedPath(fields, 'certificate-authority')
  const insecure = fields.flag('insecure-skip-tls-verify')
  const serverName = fields.text('tls-server-name')
  if (data !== undefined && path !== undefined) {
    throw fields.invalid('certificate-authority', 'and certificate-authority-data exclude each other')
  }
  if (insecure && (data !== undefined || path !== undefined)) {
    throw fields.invalid('insecure-skip-tls-verify', 'and a certificate authority exclude each other')
  }
  const ca = path === undefined ? data : await readReferenced(path, 'certificate authority')
  return {
    ...defined({ ca, serverName }),
    ...(insecure && { insecure }),
  }
}

function readProxy(fields: Fields): string | undefined {
  const given = fields.text('proxy-url')
  if (given === undefined) return undefined
  if (!URL.canParse(given)) throw fields.invalid('proxy-url', 'is no URL')
  const { protocol } = new URL(given)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw fields.invalid(
      'proxy-url',
      `must be an http or https proxy: ${protocol.slice(0, -1)} proxies are not supported`,
    )
  }
  return given
}
