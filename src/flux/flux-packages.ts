import {
  compareText,
  type Context,
  formatApiVersion,
  isLadingError,
  isRecord,
  type KubeObject,
  LadingError,
} from '../core/index.ts'
import {
  type DeploymentPackage,
  type DeploymentWriteOptions,
  invalidRequest,
  isReadable,
  listableScopes,
  noSuchPackage,
  type PackageRequest,
  type Page,
  pageOf,
  type PageQuery,
  refuseInUse,
} from '../deployment/index.ts'
import { createObject, deleteObject } from '../kube/index.ts'
import { part, sourceOf } from './describe-deployment.ts'
import type { FluxSettings } from './flux-config.ts'
import { descriptionAnnotation, type PackageKind, scopeOf, sourceGvk } from './flux-kinds.ts'
import { readPackageId, sourceId } from './package-id.ts'
import type { FluxWriter } from './write-deployment.ts'

/** A source as a package. */
export function describePackage(source: KubeObject): DeploymentPackage {
  const { name, annotations = {}, creationTimestamp = '' } = source.metadata
  const spec = part(source, 'spec')
  const revision = part(source, 'status', 'artifact')['revision']
  return {
    id: sourceId(source),
    name,
    version: typeof revision === 'string' ? revision : '',
    packageType: source.kind,
    description: annotations[descriptionAnnotation] ?? '',
    createdAt: creationTimestamp,
    extensions: {
      'flux.sourceKind': source.kind,
      'flux.namespace': source.metadata.namespace,
      'flux.url': spec['url'] ?? spec['endpoint'],
      'flux.ref': spec['ref'],
      'flux.interval': spec['interval'],
    },
  }
}

/** A page of the sources that the caller may list. */
export async function listPackages(
  { cache, access }: FluxWriter,
  query: PageQuery,
  ctx: Context,
): Promise<Page<DeploymentPackage>> {
  const sources = await cache.sources(ctx)
  const scopes = new Map(sources.map((source) => [source.kind, scopeOf(source)]))
  const listable = await listableScopes(access, [...scopes.values()])
  const packages = sources.filter(({ kind }) => listable.has(scopes.get(kind)!)).map(describePackage)
  return pageOf(
    packages.sort((a, b) => compareText(a.id, b.id)),
    query,
  )
}

/** The source that an id names, if the caller may read it. */
export async function findPackage(
  { cache, access }: FluxWriter,
  id: string,
  { sourceNamespace }: FluxSettings,
  ctx: Context,
): Promise<KubeObject> {
  const named = readPackageId(id)
  const sources = named?.namespace === sourceNamespace ? await cache.sources(ctx) : []
  const found = sources.find((source) => sourceId(source) === id)
  if (found === undefined || !(await isReadable(access, scopeOf(found), found.metadata.name))) throw noSuchPackage(id)
  return found
}

const kindsByType: Readonly<Record<string, PackageKind>> = {
  git: 'GitRepository',
  oci: 'OCIRepository',
  helm: 'HelmRepository',
  bucket: 'Bucket',
}

/** Makes a source of Flux. */
export async function createPackage(
  { cluster, cache }: FluxWriter,
  request: PackageRequest,
  settings: FluxSettings,
  { dryRun = false }: DeploymentWriteOptions,
  ctx: Context,
): Promise<DeploymentPackage> {
  const object = newSource(request, settings)
  try {
    const created = await createObject(cluster, object, { dryRun, fieldManager: 'lading-gateway' }, ctx)
    if (!dryRun) cache.wrote(created)
    return describePackage(created)
  } catch (error) {
    if (!isLadingError(error, 'kube.already-exists')) throw error
    throw new LadingError('package.exists', `package already exists: ${sourceId(object)}`, { id: sourceId(object) })
  }
}

/** Deletes a source that no deployment uses. */
export async function deletePackage(
  writer: FluxWriter,
  id: string,
  settings: FluxSettings,
  { dryRun = false }: DeploymentWriteOptions,
  ctx: Context,
): Promise<void> {
  const source = await findPackage(writer, id, settings, ctx)
  const { name, namespace = '', uid } = source.metadata
  const index = await writer.cache.deployments(ctx)
  const users = index.all().filter(({ object }) => {
    const used = sourceOf(object)
    return used['kind'] === source.kind && used['name'] === name && (used['namespace'] ?? namespace) === namespace
  })
  await refuseInUse(id, users, writer.access)
  await deleteObject(
    writer.cluster,
    { ...sourceGvk(source.kind), name, namespace },
    { uid, dryRun, keep: 'ignore' },
    ctx,
  )
}

function newSource({ name, description, extensions = {} }: PackageRequest, settings: FluxSettings): KubeObject {
  const type = extensions['flux.type'] ?? 'git'
  const kind = typeof type === 'string' ? kindsByType[type] : undefined
  if (kind === undefined) {
    throw invalidRequest(`flux.type of a package must be one of ${Object.keys(kindsByType).join(', ')}`)
  }
  const url = extensions['flux.url']
  if (typeof url !== 'string' || url === '') {
    throw invalidRequest('flux.url extension is required for Flux packages', { field: 'flux.url' })
  }
  const more = extensions['flux.spec']
  const spec = kind === 'Bucket' ? { endpoint: url } : { url }
  return {
    apiVersion: formatApiVersion(sourceGvk(kind)),
    kind,
    metadata: {
      name,
      namespace: settings.sourceNamespace,
      annotations: description === undefined ? {} : { [descriptionAnnotation]: description },
    },
    spec: {
      interval: extensions['flux.interval'] ?? settings.interval,
      ...(kind === 'HelmRepository' && url.startsWith('oci://') ? { type: 'oci' } : {}),
      ...(isRecord(extensions['flux.ref']) ? { ref: extensions['flux.ref'] } : {}),
      ...(isRecord(more) ? more : {}),
      ...spec,
    },
  }
}
