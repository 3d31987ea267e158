import { z } from 'zod'
import { type Call, defineRoute, type Route } from '../http/route.ts'
import { adapterOf, writeOptions } from './deployment-routes.ts'
import { nextLink, pageOfQuery } from './deployment-query.ts'
import {
  idParams,
  packageRequestSchema,
  packageSchema,
  pageQuery,
  readQuery,
  writeQuery,
} from './deployment-schemas.ts'

const tag = 'packages'
const base = '/o2ims/v1/packages'

const packagePageSchema = z
  .object({ packages: z.array(packageSchema), total: z.int(), next: z.string().optional() })
  .meta({ id: 'PackagePage' })

/** Packages: the sources that deployments come from. */
export const packageRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: base,
    id: 'listPackages',
    tag,
    summary: 'List packages',
    access: 'read',
    query: pageQuery,
    answers: { 200: { description: 'A page of packages, sorted by id.', schema: packagePageSchema } },
    async handle(call) {
      const { items, total, next } = await adapterOf(call).listPackages(pageOfQuery(call.query), call.ctx)
      return { status: 200, headers: nextLink(call.url, next), body: { packages: items, total, next } }
    },
  }),
  defineRoute({
    method: 'POST',
    path: base,
    id: 'createPackage',
    tag,
    summary: 'Create a package',
    access: 'write',
    query: writeQuery,
    body: packageRequestSchema,
    answers: {
      200: { description: 'What a dry run would create.', schema: packageSchema },
      201: { description: 'The new package.', schema: packageSchema, headers: { Location: 'Where it is.' } },
    },
    async handle(call) {
      const options = writeOptions(call)
      const created = await adapterOf(call).createPackage(call.body, options, call.ctx)
      if (options.dryRun === true) return { status: 200, body: created }
      return { status: 201, headers: { location: `${base}/${encodeURIComponent(created.id)}` }, body: created }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${base}/{id}`,
    id: 'getPackage',
    tag,
    summary: 'Read a package',
    access: 'read',
    params: idParams,
    query: readQuery,
    answers: { 200: { description: 'The package.', schema: packageSchema } },
    handle: async (call) => ({ status: 200, body: await adapterOf(call).getPackage(call.params.id, call.ctx) }),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${base}/{id}`,
    id: 'deletePackage',
    tag,
    summary: 'Delete a package that no deployment uses',
    access: 'write',
    params: idParams,
    query: writeQuery,
    answers: { 204: { description: 'It is deleted, or with dryRun could be.' } },
    handle: deletePackage,
  }),
]

async function deletePackage(
  call: Call<{ readonly id: string }, { readonly cluster?: string; readonly dryRun?: 'All' }, unknown>,
): Promise<{ readonly status: number }> {
  await adapterOf(call).deletePackage(call.params.id, writeOptions(call), call.ctx)
  return { status: 204 }
}
