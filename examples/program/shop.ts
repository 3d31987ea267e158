import { defineSource } from 'lading/program'
import { z } from 'zod'
import { labelsOf, web } from './web.ts'

/** A web server with its own page: `lading install shop examples/program/shop.ts --set replicas=3`. */
export default defineSource({
  values: z.object({
    replicas: z.int().min(1).max(10).default(2),
    image: z.string().default('docker.io/library/nginx:1.29'),
    greeting: z.string().default('hello'),
  }),

  render({ values, release }) {
    const labels = labelsOf(release)
    const page = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: release.name, labels },
      data: { 'index.html': `<h1>${values.greeting} from ${release.name}</h1>\n` },
    }
    return {
      objects: [page, web(release, values)],
      notes: `${values.replicas} replicas say ${values.greeting}`,
    }
  },
})
