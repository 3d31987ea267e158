// How fast manifests are read, and how much memory that takes: node bench/read-yaml.ts
import { type KubeObject, stringifyJson } from '../src/core/index.ts'
import { readObjects, writeDocuments, writeYaml } from '../src/core/yaml/index.ts'

const megabyte = 1024 * 1024

for (const size of [2, 10, 20]) {
  const objects = manifest(size * 500)
  measure(`${size} MB YAML`, writeDocuments(objects))
  measure(`${size} MB YAML, one List`, writeYaml(list(objects)))
  measure(`${size} MB JSON, one List`, stringifyJson(list(objects), 2))
}

function measure(name: string, text: string): void {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const { length } = readObjects(text)
  const seconds = (performance.now() - start) / 1000
  // On a busy machine the processor time says more than the clock; it counts the garbage collector's threads too.
  const cpu = process.cpuUsage(cpuBefore)
  const heap = (process.memoryUsage().heapUsed - before) / megabyte
  const megabytes = text.length / megabyte
  console.log(
    `${name.padEnd(24)} ${length} objects, ${megabytes.toFixed(1)} MB in ${(seconds * 1000).toFixed(0)} ms ` +
      `(cpu ${((cpu.user + cpu.system) / 1000).toFixed(0)} ms): ` +
      `${(megabytes / seconds).toFixed(1)} MB/s, heap +${heap.toFixed(0)} MB`,
  )
}

function list(items: KubeObject[]): unknown {
  return { apiVersion: 'v1', kind: 'List', items }
}

// Half Deployments, half ConfigMaps with a text of several lines: about 2 KB each.
function manifest(count: number): KubeObject[] {
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? deployment(index) : configMap(index)))
}

function deployment(index: number): KubeObject {
  const labels = { 'app.kubernetes.io/name': `app-${index}`, 'app.kubernetes.io/part-of': 'bench' }
  const container = (name: string) => ({
    name,
    image: `registry.example.com/team/${name}:v1.${index}.0`,
    args: ['--listen=:8080', `--shard=${index}`, '--log-level=info'],
    env: Array.from({ length: 8 }, (_, n) => ({ name: `SETTING_${n}`, value: `${n}` })),
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `app-${index}`, namespace: 'bench', labels },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container('web'), container('sidecar')] } },
    },
  }
}

function configMap(index: number): KubeObject {
  const line = (n: number) => `option.${n} = value of option ${n} in map ${index}`
  const text = `${Array.from({ length: 36 }, (_, n) => line(n)).join('\n')}\n`
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `config-${index}`, namespace: 'bench' },
    data: { 'app.properties': text, enabled: 'yes', mode: '0777' },
  }
}
