// Lists the container images that a chart would run, without a cluster.
import { loadChart, renderChart } from 'lading/helm'
import { imagesOf } from 'lading/release'

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "nginx:{{ .Values.tag }}" }] }
`
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'tag: "1.27"\n',
  'templates/deployment.yaml': deployment,
}
const chart = loadChart(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))
const rendered = renderChart(chart, { release: { name: 'web', namespace: 'shop' }, values: { tag: '1.28' } })
console.log(imagesOf(rendered.objects).join('\n'))
