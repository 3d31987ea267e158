import { z } from 'zod'
import type { Deployment } from '../../deployment/index.ts'
import type { Reply, Route } from '../http/route.ts'
import { deploymentRoutes } from './deployment-routes.ts'
import {
  deploymentPageSchema,
  deploymentRequestSchema,
  deploymentSchema,
  deploymentUpdateSchema,
} from './deployment-schemas.ts'

/** The names that O2-DMS has for the fields of a deployment. */
const { id: idField, packageId: packageField, ...sameFields } = deploymentSchema.shape
const nfDeploymentSchema = z
  .object({ nfDeploymentId: idField, nfDeploymentDescriptorId: packageField, ...sameFields })
  .meta({ id: 'NfDeployment' })

const { packageId: requestPackage, values: requestValues, ...sameRequest } = deploymentRequestSchema.shape
const nfRequestSchema = z
  .strictObject({ ...sameRequest, nfDeploymentDescriptorId: requestPackage, parameterValues: requestValues })
  .meta({ id: 'NfDeploymentRequest' })

const { values: updateValues, ...sameUpdate } = deploymentUpdateSchema.shape
const nfUpdateSchema = z
  .strictObject({ ...sameUpdate, parameterValues: updateValues })
  .meta({ id: 'NfDeploymentUpdate' })

const nfPageSchema = z
  .object({
    nfDeployments: z.array(nfDeploymentSchema),
    total: deploymentPageSchema.shape.total,
    next: deploymentPageSchema.shape.next,
  })
  .meta({ id: 'NfDeploymentPage' })

const nfDryRunSchema = z
  .object({ dryRun: z.literal(true), nfDeployment: nfDeploymentSchema.optional(), changes: z.array(z.unknown()) })
  .meta({ id: 'NfDryRun' })

/** The same deployments under the paths and field names of O2-DMS, answered by the same handlers. */
export const nfDeploymentRoutes: readonly Route[] = deploymentRoutes.map(inNfWords)

function inNfWords(route: Route): Route {
  return {
    ...route,
    path: route.path.replace('/o2ims/v1/deployments', '/o2dms/v1/nfDeployments'),
    id: route.id.replace('Deployment', 'NfDeployment'),
    tag: 'nfDeployments',
    body: bodySchema(route),
    answers: Object.fromEntries(
      Object.entries(route.answers).map(([status, answer]) => [
        status,
        { ...answer, schema: answer.schema === undefined ? undefined : nfAnswer(answer.schema) },
      ]),
    ),
    async handle(call) {
      return nfReply(await route.handle({ ...call, body: plainBody(call.body) }))
    },
  }
}

function bodySchema({ body }: Route): z.ZodType | undefined {
  if (body === deploymentRequestSchema) return nfRequestSchema
  return body === deploymentUpdateSchema ? nfUpdateSchema : body
}

function nfAnswer(schema: z.ZodType): z.ZodType {
  if (schema === deploymentSchema) return nfDeploymentSchema
  if (schema === deploymentPageSchema) return nfPageSchema
  if (schema.meta()?.id === 'DryRun') return nfDryRunSchema
  return schema instanceof z.ZodUnion ? z.union([nfDeploymentSchema, nfDryRunSchema]) : schema
}

function plainBody(body: unknown): unknown {
  if (body === undefined || body === null) return body
  const { parameterValues, nfDeploymentDescriptorId, ...rest } = body as Record<string, unknown>
  const plain: Record<string, unknown> = rest
  if (parameterValues !== undefined) plain['values'] = parameterValues
  if (nfDeploymentDescriptorId !== undefined) plain['packageId'] = nfDeploymentDescriptorId
  return plain
}

function nfReply(reply: Reply): Reply {
  const headers = reply.headers && withNfLocation(reply.headers)
  return { ...reply, headers, body: nfBody(reply.body) }
}

function withNfLocation(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { location } = headers
  return location === undefined
    ? headers
    : { ...headers, location: location.replace('/o2ims/v1/deployments', '/o2dms/v1/nfDeployments') }
}

function nfBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if ('packageId' in body) return nfDeployment(body as Deployment)
  if ('deployments' in body) {
    const { deployments, ...rest } = body as { deployments: readonly Deployment[] }
    return { nfDeployments: deployments.map(nfDeployment), ...rest }
  }
  if (!('dryRun' in body)) return body
  const { deployment, ...rest } = body as { deployment?: Deployment }
  return { ...rest, nfDeployment: deployment && nfDeployment(deployment) }
}

function nfDeployment({ id, packageId, ...rest }: Deployment): Record<string, unknown> {
  return { nfDeploymentId: id, nfDeploymentDescriptorId: packageId, ...rest }
}
