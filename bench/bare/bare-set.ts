import type { KubeObject } from '../../src/core/index.ts'
import { type BarePool, eachInFlight } from './bare-pool.ts'

/** What is asked for every object of a set. */
export type BareVerb = 'apply' | 'dry-run' | 'delete'

/** Sends one request for every object and gives how many of them created something. */
export async function sendSet(
  pool: BarePool,
  verb: BareVerb,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<number> {
  let created = 0
  await eachInFlight(objects, async (object) => {
    const path = objectPath(object, namespace)
    const { status } =
      verb === 'delete'
        ? await pool.request('DELETE', path, { propagationPolicy: 'Background' })
        : await pool.request('PATCH', `${path}?${applyQuery}${verb === 'dry-run' ? '&dryRun=All' : ''}`, object)
    if (status === 201) created++
  })
  return created
}

/** Creates a namespace by a bare request. */
export async function createNamespace(pool: BarePool, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  await pool.request('PATCH', `/api/v1/namespaces/${name}?${applyQuery}`, body)
}

// The same parameters as the engine sends.
const applyQuery = 'fieldManager=lading&fieldValidation=Strict'

/** The kinds of the fixtures: knowing them beforehand is what makes the limit bare. */
const resources: Readonly<Record<string, string>> = {
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Deployment: 'deployments',
}

function objectPath({ apiVersion, kind, metadata }: KubeObject, namespace: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  return `${root}/namespaces/${namespace}/${resources[kind]}/${metadata.name}`
}
