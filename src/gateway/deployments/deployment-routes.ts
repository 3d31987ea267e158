import { z } from 'zod'
import { isLadingError, LadingError } from '../../core/index.ts'
import type {
  Deployment,
  DeploymentAdapter,
  DeploymentRequest,
  DeploymentUpdate,
  DeploymentWriteOptions,
  WrittenDeployment,
} from '../../deployment/index.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { filterOfQuery, nextLink } from './deployment-query.ts'
import {
  deploymentPageSchema,
  deploymentRequestSchema,
  deploymentSchema,
  deploymentUpdateSchema,
  dryRunSchema,
  historySchema,
  idParams,
  listQuery,
  readQuery,
  statusDetailSchema,
  writeQuery,
} from './deployment-schemas.ts'

const tag = 'deployments'
const base = '/o2ims/v1/deployments'
const etagHeader = { ETag: 'Changes with every write; send it in If-Match.' }
const written = {
  200: {
    description: 'The deployment, or with dryRun what would change.',
    schema: z.union([deploymentSchema, dryRunSchema]),
    headers: etagHeader,
  },
}

/** Deployments as document 003 serves them. */
export const deploymentRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: base,
    id: 'listDeployments',
    tag,
    summary: 'List deployments',
    access: 'read',
    query: listQuery,
    answers: { 200: { description: 'A page of deployments, sorted by id.', schema: deploymentPageSchema } },
    async handle(call) {
      const { items, total, next } = await adapterOf(call).list(filterOfQuery(call.query), call.ctx)
      return { status: 200, headers: nextLink(call.url, next), body: { deployments: items, total, next } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: base,
    id: 'createDeployment',
    tag,
    summary: 'Create a deployment',
    access: 'write',
    query: writeQuery,
    body: deploymentRequestSchema,
    answers: {
      200: { description: 'What a dry run would create.', schema: dryRunSchema },
      201: {
        description: 'The new deployment.',
        schema: deploymentSchema,
        headers: { ...etagHeader, Location: 'Where it is.' },
      },
    },
    async handle(call) {
      const request = call.body as DeploymentRequest
      checkNamespace(call, request.namespace)
      const result = await adapterOf(call).create(request, writeOptions(call), call.ctx)
      const reply = writtenReply(call, result)
      if (reply.status === 200 && call.query.dryRun === undefined) {
        const location = `${base}/${encodeURIComponent(result.deployment.id)}`
        return { ...reply, status: 201, headers: { ...reply.headers, location } }
      }
      return reply
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/{id}`,
    id: 'getDeployment',
    tag,
    summary: 'Read a deployment',
    access: 'read',
    params: idParams,
    query: readQuery,
    answers: {
      200: { description: 'The deployment.', schema: deploymentSchema, headers: etagHeader },
      304: { description: 'It is as If-None-Match says.' },
    },
    async handle(call) {
      return readReply(call, await adapterOf(call).get(call.params.id, call.ctx))
    },
  }),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    defineRoute({
      method,
      path: `${base}/{id}`,
      id: method === 'PUT' ? 'replaceDeployment' : 'updateDeployment',
      tag,
      summary:
        method === 'PUT'
          ? 'Replace the values and extensions of a deployment'
          : 'Merge values and extensions into a deployment; null removes a key',
      access: 'write',
      params: idParams,
      query: writeQuery,
      body: deploymentUpdateSchema,
      answers: written,
      async handle(call) {
        const update: DeploymentUpdate = { ...call.body, mode: method === 'PUT' ? 'replace' : 'merge' }
        return write(call, (adapter, options) => adapter.update(call.params.id, update, options, call.ctx))
      },
    }),
  ),
  defineRoute({
    method: 'DELETE',
    path: `${base}/{id}`,
    id: 'deleteDeployment',
    tag,
    summary: 'Delete a deployment and what it deployed',
    access: 'write',
    params: idParams,
    query: writeQuery,
    answers: {
      200: { description: 'A dry run: it could be deleted.', schema: dryRunSchema },
      204: { description: 'Its deletion has begun.' },
    },
    async handle(call) {
      const options = writeOptions(call)
      await precondition(options, () => adapterOf(call).delete(call.params.id, options, call.ctx))
      return options.dryRun === true ? { status: 200, body: { dryRun: true, changes: [] } } : { status: 204 }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/{id}/status`,
    id: 'getDeploymentStatus',
    tag,
    summary: 'Read how a deployment is doing',
    access: 'read',
    params: idParams,
    query: readQuery,
    answers: { 200: { description: 'Its status.', schema: statusDetailSchema } },
    handle: async (call) => ({ status: 200, body: await adapterOf(call).status(call.params.id, call.ctx) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/{id}/history`,
    id: 'getDeploymentHistory',
    tag,
    summary: 'List the revisions of a deployment',
    access: 'read',
    params: idParams,
    query: readQuery,
    answers: { 200: { description: 'Its revisions, newest first.', schema: historySchema } },
    handle: async (call) => ({ status: 200, body: await adapterOf(call).history(call.params.id, call.ctx) }),
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/{id}/scale`,
    id: 'scaleDeployment',
    tag,
    summary: 'Set the number of replicas',
    access: 'write',
    params: idParams,
    query: writeQuery,
    body: z
      .strictObject({ replicas: z.number().describe('A whole number of at least 0.') })
      .meta({ id: 'ScaleRequest' }),
    answers: written,
    handle: (call) =>
      write(call, (adapter, options) => adapter.scale(call.params.id, call.body.replicas, options, call.ctx)),
  }),
  defineRoute({
    method: 'POST',
    path: `${base}/{id}/rollback`,
    id: 'rollbackDeployment',
    tag,
    summary: 'Deploy an earlier revision again, as a new one',
    access: 'write',
    params: idParams,
    query: writeQuery,
    body: z
      .strictObject({
        revision: z.int().min(0).default(0).describe('A revision of the history; 0 is the one before the current.'),
      })
      .meta({ id: 'RollbackRequest' }),
    answers: written,
    handle: (call) =>
      write(call, (adapter, options) => adapter.rollback(call.params.id, call.body.revision, options, call.ctx)),
  }),
  ...(['suspend', 'resume'] as const).map((verb) =>
    defineRoute({
      method: 'POST',
      path: `${base}/{id}/${verb}`,
      id: `${verb}Deployment`,
      tag,
      summary: verb === 'suspend' ? 'Let nothing change until it is resumed' : 'Let it change again',
      access: 'write',
      params: idParams,
      query: writeQuery,
      answers: written,
      handle: (call) => write(call, (adapter, options) => adapter[verb](call.params.id, options, call.ctx)),
    }),
  ),
  defineRoute({
    method: 'POST',
    path: `${base}/{id}/reconcile`,
    id: 'reconcileDeployment',
    tag,
    summary: 'Ask the reconciler to look at the deployment now',
    access: 'write',
    params: idParams,
    query: readQuery,
    answers: { 200: { description: 'The deployment.', schema: deploymentSchema, headers: etagHeader } },
    handle: async (call) => readReply(call, await adapterOf(call).reconcile(call.params.id, call.ctx)),
  }),
]

type DeploymentCall = Call<unknown, { readonly cluster?: string }, unknown>
type WriteCall = Call<unknown, { readonly cluster?: string; readonly dryRun?: 'All' }, unknown>

/** The adapter of the cluster that a call names, as its principal sees it. */
export function adapterOf(call: DeploymentCall): DeploymentAdapter {
  return call.clusters.of(call.query.cluster).deployments
}

/** How a write is to be done, from its query and headers. */
export function writeOptions(call: WriteCall): DeploymentWriteOptions {
  return { dryRun: call.query.dryRun === 'All', ifMatch: etagOf(call.header('if-match')) }
}

/** Carries out a write and answers with what became of it. */
export async function write(
  call: WriteCall,
  work: (adapter: DeploymentAdapter, options: DeploymentWriteOptions) => Promise<WrittenDeployment>,
): Promise<Reply> {
  const options = writeOptions(call)
  return writtenReply(call, await precondition(options, () => work(adapterOf(call), options)))
}

/** The answer to a read, with its ETag. */
function readReply(call: DeploymentCall, deployment: Deployment): Reply {
  const headers = { etag: `"${deployment.etag}"` }
  if (etagOf(call.header('if-none-match')) === deployment.etag) return { status: 304, headers }
  return { status: 200, headers, body: deployment }
}

function writtenReply(call: WriteCall, { deployment, changes }: WrittenDeployment): Reply {
  if (call.query.dryRun === 'All') return { status: 200, body: { dryRun: true, deployment, changes } }
  return { status: 200, headers: { etag: `"${deployment.etag}"` }, body: deployment }
}

/** A deployment that is not what If-Match says is a failed precondition, other conflicts stay what they are. */
async function precondition<Result>({ ifMatch }: DeploymentWriteOptions, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (ifMatch === undefined || !isLadingError(error, 'kube.conflict')) throw error
    throw new LadingError(
      'request.precondition',
      'the deployment is no longer what If-Match says',
      {},
      { cause: error },
    )
  }
}

/** A namespace allow-list holds for what a deployment is deployed to, too. */
function checkNamespace({ principal }: DeploymentCall, namespace: string | undefined): void {
  const { namespaces } = principal
  if (namespaces === undefined || namespace === undefined || namespaces.includes(namespace)) return
  throw new LadingError('request.forbidden', `${principal.name} may not use the namespace ${namespace}`)
}

function etagOf(header: string | undefined): string | undefined {
  if (header === undefined || header === '*') return undefined
  return header.replace(/^W\//, '').replace(/^"(.*)"$/, '$1')
}
