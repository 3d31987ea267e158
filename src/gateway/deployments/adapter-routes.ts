import { z } from 'zod'
import { defineRoute, type Route } from '../http/route.ts'
import { adapterOf } from './deployment-routes.ts'
import { readQuery } from './deployment-schemas.ts'

const adapterSchema = z
  .object({ name: z.string(), version: z.string(), capabilities: z.array(z.string()), clusters: z.array(z.string()) })
  .meta({ id: 'Adapter' })

const healthSchema = z.object({ healthy: z.boolean(), message: z.string() }).meta({ id: 'AdapterHealth' })

/** What the adapter can do, and whether it can work. Document 003 and O2-DMS have them at different paths. */
export const adapterRoutes: readonly Route[] = [
  capabilities('/o2ims/v1/capabilities', 'getCapabilities'),
  capabilities('/o2dms/v1/deploymentLifecycle', 'getDeploymentLifecycle'),
  defineRoute({
    method: 'GET',
    path: '/o2ims/v1/health',
    id: 'getHealth',
    tag: 'adapter',
    summary: 'Read whether the adapter can work',
    access: 'read',
    query: readQuery,
    answers: {
      200: { description: 'It can.', schema: healthSchema },
      503: { description: 'It cannot; the message says why.', schema: healthSchema },
    },
    async handle(call) {
      const health = await adapterOf(call).health(call.ctx)
      return { status: health.healthy ? 200 : 503, body: health }
    },
  }),
]

function capabilities(path: string, id: string): Route {
  return defineRoute({
    method: 'GET',
    path,
    id,
    tag: 'adapter',
    summary: 'Read what the adapter can do',
    access: 'read',
    query: readQuery,
    answers: { 200: { description: 'The adapter.', schema: adapterSchema } },
    async handle(call) {
      const { name, version, capabilities } = adapterOf(call)
      return { status: 200, body: { name, version, capabilities, clusters: call.clusters.names } }
    },
  })
}
