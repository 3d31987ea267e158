import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadChart, packageChart, type PackagedChart } from '../src/render/helm/index.ts'

/** A chart repository of a test: files by path, and what was asked for. */
export interface ChartServer {
  readonly url: string
  readonly files: Map<string, Uint8Array | string>
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[]
  /** Answers before the files do. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Offers charts in index.yaml. */
  offer(...charts: readonly PackagedChart[]): void
  stop(): Promise<void>
}

/** Starts a chart repository on this machine. */
export async function startChartServer(): Promise<ChartServer> {
  const files = new Map<string, Uint8Array | string>()
  const requests: { path: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    requests.push({ path, authorization: request.headers.authorization })
    if (self.intercept?.(request, response) === true) return
    const data = files.get(path)
    response.writeHead(data === undefined ? 404 : 200).end(data)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: ChartServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    requests,
    intercept: undefined,
    offer(...charts) {
      files.set('index.yaml', indexOf(charts))
      for (const { fileName, archive } of charts) files.set(fileName, archive)
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}

/** A small chart. */
export function chartOf(name: string, version: string, more = ''): PackagedChart {
  const files = new Map([
    [
      'Chart.yaml',
      `apiVersion: v2\nname: ${name}\nversion: ${version}\ndescription: The ${name}\nicon: https://example.com/i.png\n${more}`,
    ],
    ['values.yaml', '# how many\nreplicas: 1\n'],
    ['README.md', `# ${name}\n`],
    [
      'crds/things.yaml',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n',
    ],
    [
      'templates/config.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}-config}\ndata: {replicas: "{{ .Values.replicas }}"}\n',
    ],
  ])
  return packageChart(loadChart(new Map([...files].map(([path, text]) => [path, Buffer.from(text)]))))
}

function indexOf(charts: readonly PackagedChart[]): string {
  const entries: Record<string, object[]> = {}
  for (const { chart, fileName, archive } of charts) {
    const { name, version, description } = chart.metadata
    const digest = createHash('sha256').update(archive).digest('hex')
    ;(entries[name] ??= []).push({ apiVersion: 'v2', name, version, description, urls: [fileName], digest })
  }
  return JSON.stringify({ apiVersion: 'v1', entries, generated: '2026-01-01T00:00:00Z' })
}
