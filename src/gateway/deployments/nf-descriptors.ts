import { z } from 'zod'
import type { DeploymentPackage } from '../../deployment/index.ts'
import type { Route } from '../http/route.ts'
import { packageSchema } from './deployment-schemas.ts'
import { packageRoutes } from './package-routes.ts'

const { id: idField, ...sameFields } = packageSchema.shape
const descriptorSchema = z
  .object({ nfDeploymentDescriptorId: idField, ...sameFields })
  .meta({ id: 'NfDeploymentDescriptor' })
const descriptorPageSchema = z
  .object({ nfDeploymentDescriptors: z.array(descriptorSchema), total: z.int(), next: z.string().optional() })
  .meta({ id: 'NfDeploymentDescriptorPage' })

/** Packages under the paths and field names of O2-DMS. */
export const nfDescriptorRoutes: readonly Route[] = packageRoutes.map((route) => ({
  ...route,
  path: route.path.replace('/o2ims/v1/packages', '/o2dms/v1/nfDeploymentDescriptors'),
  id: route.id.replace('Package', 'NfDeploymentDescriptor'),
  tag: 'nfDeploymentDescriptors',
  answers: Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      if (answer.schema === undefined) return [status, answer]
      return [status, { ...answer, schema: answer.schema === packageSchema ? descriptorSchema : descriptorPageSchema }]
    }),
  ),
  async handle(call) {
    const reply = await route.handle(call)
    const location = reply.headers?.['location']?.replace('/o2ims/v1/packages', '/o2dms/v1/nfDeploymentDescriptors')
    const headers = location === undefined ? reply.headers : { ...reply.headers, location }
    return { ...reply, headers, body: descriptorBody(reply.body) }
  },
}))

function descriptorBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (!('packages' in body)) return descriptor(body as DeploymentPackage)
  const { packages, ...rest } = body as { packages: readonly DeploymentPackage[] }
  return { nfDeploymentDescriptors: packages.map(descriptor), ...rest }
}

function descriptor({ id, ...rest }: DeploymentPackage): Record<string, unknown> {
  return { nfDeploymentDescriptorId: id, ...rest }
}
