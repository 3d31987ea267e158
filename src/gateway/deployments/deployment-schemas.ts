import { z } from 'zod'
import { deploymentStatuses } from '../../deployment/index.ts'

const values = z.record(z.string(), z.unknown())
const labels = z.record(z.string(), z.string())

/** A state of a deployment. */
export const statusSchema = z.enum(deploymentStatuses as [string, ...string[]]).meta({ id: 'DeploymentStatus' })

/** A deployment, as it is answered. */
export const deploymentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    packageId: z.string(),
    namespace: z.string(),
    status: statusSchema,
    suspended: z.boolean(),
    version: z.int(),
    description: z.string(),
    labels,
    createdAt: z.string(),
    updatedAt: z.string(),
    etag: z.string(),
    extensions: values,
  })
  .meta({ id: 'Deployment' })

/** A new deployment, as it is requested. */
export const deploymentRequestSchema = z
  .strictObject({
    name: z.string().min(1).max(253),
    packageId: z.string().optional(),
    namespace: z.string().min(1).max(63).optional(),
    values: values.optional(),
    description: z.string().max(4096).optional(),
    labels: labels.optional(),
    extensions: values.optional(),
  })
  .meta({ id: 'DeploymentRequest' })

/** What changes of a deployment, as it is requested. */
export const deploymentUpdateSchema = z
  .strictObject({
    values: values.optional(),
    description: z.string().max(4096).optional(),
    extensions: values.optional(),
  })
  .meta({ id: 'DeploymentUpdate' })

const changeSchema = z
  .looseObject({
    path: z.string().describe('A JSON Pointer.'),
    before: z.unknown().optional(),
    after: z.unknown().optional(),
  })
  .meta({ id: 'FieldChange' })

/** What a dry run answers. */
export const dryRunSchema = z
  .object({ dryRun: z.literal(true), deployment: deploymentSchema.optional(), changes: z.array(changeSchema) })
  .meta({ id: 'DryRun' })

/** A page of deployments. */
export const deploymentPageSchema = z
  .object({
    deployments: z.array(deploymentSchema),
    total: z.int().describe('How many deployments all pages have together.'),
    next: z.string().optional().describe('The cursor of the next page; absent on the last one.'),
  })
  .meta({ id: 'DeploymentPage' })

/** How a deployment is doing. */
export const statusDetailSchema = z
  .object({
    id: z.string(),
    status: statusSchema,
    suspended: z.boolean(),
    message: z.string(),
    progress: z.number(),
    conditions: z.array(
      z.object({
        type: z.string(),
        status: z.string(),
        reason: z.string(),
        message: z.string(),
        lastTransitionTime: z.string(),
      }),
    ),
    updatedAt: z.string(),
  })
  .meta({ id: 'DeploymentStatusDetail' })

/** The revisions of a deployment. */
export const historySchema = z
  .object({
    id: z.string(),
    revisions: z.array(
      z.object({
        revision: z.int(),
        version: z.string(),
        deployedAt: z.string(),
        status: z.enum(['current', 'superseded']),
        description: z.string(),
      }),
    ),
  })
  .meta({ id: 'DeploymentHistory' })

/** A package, as it is answered. */
export const packageSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string(),
    packageType: z.string(),
    description: z.string(),
    createdAt: z.string(),
    extensions: values,
  })
  .meta({ id: 'Package' })

/** A new package, as it is requested. */
export const packageRequestSchema = z
  .strictObject({
    name: z.string().min(1).max(253),
    description: z.string().max(4096).optional(),
    extensions: values.optional(),
  })
  .meta({ id: 'PackageRequest' })

/** The id in a path. */
export const idParams = z.object({ id: z.string().min(1).max(512) })

/** Which of the gateway's clusters is meant. */
const clusterField = { cluster: z.string().optional().describe('Name of the cluster (default: the first one).') }

/** The query of a read. */
export const readQuery = z.strictObject(clusterField)

/** The query of a write. */
export const writeQuery = z.strictObject({
  ...clusterField,
  dryRun: z.enum(['All']).optional().describe('Only answer what would change.'),
})

const count = (least: number): z.ZodType<number | undefined> =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number of at least ${least}`)
    .transform(Number)
    .refine((value) => value >= least, `must be a whole number of at least ${least}`)
    .optional()

/** The query of a list of pages. */
export const pageQuery = z.strictObject({
  ...clusterField,
  limit: count(1).describe('Most items of the page (default: 100, at most 1000).'),
  offset: count(0).describe('How many items to pass over.'),
  cursor: z.string().optional().describe('`next` of the page before.'),
})

/** The query of a list of deployments. */
export const listQuery = pageQuery.extend({
  namespace: z.string().optional(),
  status: statusSchema.optional(),
  labels: z.string().optional().describe('NAME=VALUE, separated by commas.'),
  extensions: z.string().optional().describe('NAME=VALUE, separated by commas.'),
})
