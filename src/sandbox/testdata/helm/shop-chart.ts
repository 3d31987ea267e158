import type { Client } from '../client/client-case.ts'

/** What a chart for the tests can have beside a Deployment, a Service and a ConfigMap. */
export interface ChartParts {
  readonly version?: string
  /** A Job before the installation and before each upgrade, one after the installation and one as a test. */
  readonly hooks?: boolean
  /** The custom kind of this group in `crds/`, and a resource of it. */
  readonly crdGroup?: string
}

/** Writes a chart and gives its folder. */
export async function writeShopChart({ file, folder }: Client, parts: ChartParts = {}): Promise<string> {
  await file('shop/Chart.yaml', `apiVersion: v2\nname: shop\nversion: ${parts.version ?? '1.0.0'}\nappVersion: "1"\n`)
  await file('shop/values.yaml', 'replicas: 2\nimage: registry.example/shop:1\ngreeting: hello\nhook: {}\npod: {}\n')
  await file('shop/templates/web.yaml', web)
  await file('shop/templates/NOTES.txt', 'Say {{ .Values.greeting }} to {{ .Release.Name }}.\n')
  if (parts.hooks === true) await file('shop/templates/hooks.yaml', hooks)
  if (parts.crdGroup !== undefined) {
    await file('shop/crds/gadget.json', JSON.stringify(gadgetCrd(parts.crdGroup)))
    await file('shop/templates/gadget.yaml', gadget(parts.crdGroup))
  }
  return `${folder}/shop`
}

const web = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  greeting: {{ .Values.greeting | quote }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: {app: {{ .Release.Name }}}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: {{ .Release.Name }}}
  template:
    metadata:
      labels: {{ toJson (merge (dict "app" .Release.Name) .Values.pod) }}
    spec:
      containers:
        - name: web
          image: {{ .Values.image }}
          ports: [{containerPort: 8080}]
`

const hooks = `{{- range $name, $events := dict "prepare" "pre-install,pre-upgrade" "announce" "post-install" "check" "test" }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $.Release.Name }}-{{ $name }}
  annotations:
    helm.sh/hook: {{ $events }}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 0
  template:
    metadata:
      labels: {{ toJson (get $.Values.hook $name | default dict) }}
    spec:
      restartPolicy: Never
      containers: [{name: {{ $name }}, image: registry.example/hook:1}]
---
{{- end }}
`

function gadget(group: string): string {
  return `apiVersion: ${group}/v1\nkind: Gadget\nmetadata: {name: {{ .Release.Name }}}\nspec: {size: large}\n`
}

function gadgetCrd(group: string): object {
  const properties = { spec: { type: 'object', properties: { size: { type: 'string' } } } }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}
