import type { ProgramRelease } from 'lading/program'

/** The labels that every object of a release has. */
export function labelsOf({ name }: ProgramRelease): Record<string, string> {
  return { 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/instance': name }
}

/** The Deployment and the Service of the web server. */
export function web(release: ProgramRelease, { replicas, image }: { replicas: number; image: string }) {
  const labels = labelsOf(release)
  const container = {
    name: 'web',
    image,
    ports: [{ name: 'http', containerPort: 80 }],
    volumeMounts: [{ name: 'page', mountPath: '/usr/share/nginx/html' }],
  }
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: release.name, labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [container], volumes: [{ name: 'page', configMap: { name: release.name } }] },
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: release.name, labels },
      spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
  ]
}
