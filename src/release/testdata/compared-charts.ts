import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a chart that has something of everything: hooks of every phase, CRDs, tests, notes, a schema, files, a subchart
 * with a condition, one under an alias, a library chart, and a lookup. `group` is that of its CRD, which belongs to no namespace.
 */
export async function writeComparedChart(folder: string, group: string): Promise<string> {
  const files = { ...shop(group), ...subchart('cache'), ...subchart('queue'), ...library }
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'shop', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return join(folder, 'shop')
}

const shop = (group: string): Record<string, string> => ({
  'Chart.yaml': `apiVersion: v2
name: shop
version: 1.2.3
appVersion: "7"
description: A shop
type: application
home: https://shop.example
keywords: [shop, web]
sources: [https://code.example/shop]
maintainers:
  - name: Ada
    email: ada@shop.example
annotations: {team: shop}
dependencies:
  - {name: cache, version: 0.1.0, repository: "", condition: cache.enabled}
  - {name: queue, version: ">=0.1.0", repository: "", alias: events, tags: [messaging]}
  - {name: tools, version: 0.1.0, repository: ""}
`,
  'values.yaml': `# The colour of the door.
colour: blue
replicas: 1
gone: soon
limits: {cpu: 100, bytes: 1000000}
cache: {enabled: true, size: 5}
tags: {messaging: true}
global: {region: north}
`,
  'values.schema.json': '{"type": "object", "properties": {"colour": {"type": "string"}}}',
  'README.md': '# Shop\n',
  'files/motd.txt': 'Welcome – all of you\n',
  '.helmignore': '*.bak\n',
  'ignored.bak': 'nobody sees this',
  'crds/item.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: items.${group}
spec:
  group: ${group}
  scope: Namespaced
  names: {plural: items, singular: item, kind: Item, listKind: ItemList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`,
  'templates/_helpers.tpl': '{{- define "shop.labels" }}\napp.kubernetes.io/name: {{ .Chart.Name }}\n{{- end }}\n',
  'templates/NOTES.txt': 'The door of {{ .Release.Name }} is {{ .Values.colour }} (revision {{ .Release.Revision }}).\n',
  'templates/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
  labels: {{- include "shop.labels" . | indent 4 }}
    {{- include "tools.labels" . | nindent 4 }}
data:
  # Comments of templates stay in the manifest.
  colour: {{ .Values.colour | quote }}
  bytes: {{ .Values.limits.bytes | quote }}
  gone: {{ .Values.gone | default "nothing" }}
  motd: {{ .Files.Get "files/motd.txt" | quote }}
  upgrade: {{ .Release.IsUpgrade | quote }}
  served: {{ .Capabilities.APIVersions.Has "apps/v1/Deployment" | quote }}
  found: {{ if lookup "v1" "ConfigMap" .Release.Namespace (printf "%s-settings" .Release.Name) }}before{{ else }}nothing{{ end }}
  maps: {{ range (lookup "v1" "ConfigMap" .Release.Namespace "").items }}{{ if hasPrefix "shop" .metadata.name }}{{ .metadata.name }} {{ end }}{{ end }}end
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}-key}
stringData: {key: {{ .Values.global.region }}}
{{- if eq .Values.colour "red" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: kept
  annotations: {helm.sh/resource-policy: keep}
{{- end }}
`,
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example/web:{{ .Chart.AppVersion }}"}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
{{- if ne .Values.colour "red" }}
---
apiVersion: v1
kind: Service
metadata: {name: leaving}
spec: {selector: {app: web}, ports: [{port: 81}]}
{{- end }}
`,
  'templates/hooks.yaml': [
    hookJob('first', 'pre-install,pre-upgrade', 'helm.sh/hook-weight: "-5"'),
    hookJob('second', 'pre-install,pre-upgrade', 'helm.sh/hook-weight: "5"'),
    hookJob('also-second', 'pre-install', 'helm.sh/hook-weight: "5"'),
    hookJob('cleaned', 'post-install,post-upgrade', 'helm.sh/hook-delete-policy: hook-succeeded'),
    hookJob('stays', 'post-install,post-upgrade,post-rollback', 'helm.sh/hook-delete-policy: before-hook-creation'),
    hookJob('back', 'pre-rollback', 'helm.sh/hook-weight: "1"'),
    hookJob('leave', 'pre-delete', 'helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"'),
    hookJob('left', 'post-delete', 'helm.sh/hook-weight: "0"'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hook-settings\n  annotations:\n    helm.sh/hook: pre-install,pre-upgrade\n    helm.sh/hook-weight: "-10"\ndata: {colour: {{ .Values.colour }}}\n',
  ].join('---\n'),
  'templates/tests/works.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: works
  annotations: {helm.sh/hook: test}
spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/test}]}
`,
})

function hookJob(name: string, phases: string, annotation: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations:
    helm.sh/hook: ${phases}
    ${annotation}
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/hook}]}
`
}

const subchart = (name: string): Record<string, string> => ({
  [`charts/${name}/Chart.yaml`]: `apiVersion: v2\nname: ${name}\nversion: 0.1.0\n`,
  [`charts/${name}/values.yaml`]: 'size: 1\n',
  [`charts/${name}/templates/map.yaml`]: `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-{{ .Chart.Name }}}
data: {size: {{ .Values.size | quote }}, region: {{ .Values.global.region }}}
`,
})

const library: Record<string, string> = {
  'charts/tools/Chart.yaml': 'apiVersion: v2\nname: tools\nversion: 0.1.0\ntype: library\n',
  'charts/tools/templates/_labels.tpl': '{{- define "tools.labels" -}}\ntools: {{ .Chart.Name }}\n{{- end }}\n',
}
