import { readdirSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { Agent, request } from 'undici'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { isRecord } from '../src/core/index.ts'
import { decodeProtobuf } from '../src/sandbox/http/protobuf/decode-protobuf.ts'
import { sourceFolder } from '../testbed/go-module.ts'
import { apiClientOf } from '../testbed/index.ts'

/** A definition that uses every form that a schema has. */
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.protobuf-${process.pid}.example.com` },
  spec: {
    group: `protobuf-${process.pid}.example.com`,
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 0, maximum: 1.5e3, default: 3, enum: [3, 5], format: 'int32' },
                  replicas: { type: 'integer' },
                  ratio: { type: 'number', multipleOf: 0.25, exclusiveMinimum: true, minimum: 0.5 },
                  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { a: [null, 1] } },
                  items: {
                    type: 'array',
                    maxItems: 9,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                  },
                },
                'x-kubernetes-validations': [
                  { rule: 'self.size > 1', message: 'too small', reason: 'FieldValueInvalid' },
                ],
              },
              status: { type: 'object', nullable: true, properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
}

/** Upstream keeps one object of each kind with every field filled, in JSON and in protobuf. */
describe('protobuf of every built-in kind', async () => {
  const folder = `${await sourceFolder('gotypes', 'k8s.io/api')}/testdata/HEAD`
  // Betas are not served, and options and reviews of admission are no bodies of requests.
  const files = readdirSync(folder).filter((file) => file.endsWith('.pb') && !/\.v\d+(alpha|beta)\d/.test(file))
  const none =
    /Options\.pb$|^admission\.|^apidiscovery\.|^core\.v1\.(API|Pod.*Result|Range|Serialized|Status|WatchEvent)/
  const wanted = files.filter((file) => !none.test(file) || file === 'core.v1.DeleteOptions.pb')

  it.each(wanted)('%s says what its JSON says', (file) => {
    const json: unknown = JSON.parse(readFileSync(`${folder}/${file.replace(/\.pb$/, '.json')}`, 'utf8'))
    expect(decodeProtobuf(readFileSync(`${folder}/${file}`))).toEqual(withoutNulls(json))
  })

  it('covers the kinds that are served', () => {
    expect(wanted.length).toBeGreaterThan(60)
  })
})

describe('protobuf of a real API server', () => {
  it.each([
    '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt',
    '/api/v1/namespaces/default/services/kubernetes',
  ])('says what its JSON says: %s', async (path) => {
    const { json, protobuf } = await readBoth(path)
    expect(protobuf).toEqual(json)
  })

  it('says what the JSON of a CustomResourceDefinition says', async () => {
    const api = await apiClientOf(inject('kubeconfig'))
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const path = `${crds}/${widgets.metadata.name}`
    onTestFinished(async () => {
      await api.request('DELETE', path)
      api.close()
    })
    expect((await api.request('POST', crds, widgets)).status).toBe(201)
    await expect.poll(async () => (await api.request('GET', path)).text).toContain('"Established","status":"True"')
    const { json, protobuf } = await readBoth(path)
    expect(protobuf).toEqual(json)
  })
})

async function readBoth(path: string): Promise<{ json: unknown; protobuf: unknown }> {
  const server = openServer()
  onTestFinished(() => server.close())
  const json: unknown = JSON.parse((await server.get(path, 'application/json')).toString('utf8'))
  const protobuf = decodeProtobuf(await server.get(path, 'application/vnd.kubernetes.protobuf'))
  return { json: withoutNulls(json), protobuf: withoutNulls(protobuf) }
}

interface Server {
  get(path: string, accept: string): Promise<Buffer>
  close(): Promise<void>
}

function openServer(): Server {
  const config = load(readFileSync(inject('kubeconfig'), 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[]
    users: { name: string; user: { token?: string } }[]
  }
  const cluster = config.clusters[0]?.cluster
  const token = config.users.find(({ name }) => name === 'admin')?.user.token ?? ''
  const ca = Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64')
  const dispatcher = new Agent({ connect: { ca } })
  return {
    async get(path, accept) {
      const headers = { accept, authorization: `Bearer ${token}` }
      const answer = await request(new URL(path, cluster?.server), { dispatcher, headers })
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, accept])
      return Buffer.from(await answer.body.arrayBuffer())
    },
    close: () => dispatcher.close(),
  }
}

/** Go writes null for lists and times that are not there; typed decoding reads both alike. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  const kept = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNulls(field)]))
}
