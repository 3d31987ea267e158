/** A Deployment named web, with annotations on its Pods. */
export function deployment(annotations: string): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {${annotations}}}
    spec: {containers: [{name: web, image: registry.example/web}]}
`
}

/** A ConfigMap named settings. */
export function config(colour: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {colour: ${colour}}\n`
}
