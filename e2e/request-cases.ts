import type { Request } from './random-writes.ts'
import {
  type Body,
  get,
  lastApplied,
  map,
  named,
  patch,
  post,
  put,
  remove,
  service,
  thing,
  token,
  manager,
  type Query,
} from './request-makers.ts'

/** Requests that are sent one after the other, and answered alike by every API server. */
export interface RequestCase {
  readonly name: string
  readonly requests: readonly Request[]
  /** Who owns what is left out: the API server follows a field that one version does not have into the others. */
  readonly ownersAside?: boolean
}

const core = '/api/v1/namespaces/$NS'
const maps = `${core}/configmaps`
const things = (version: string): string => `/apis/requests.lading.dev/${version}/namespaces/$NS/things`

/** The definition of the things: two versions that have little in common, one on its way out. */
export const thingCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.requests.lading.dev' },
  spec: {
    group: 'requests.lading.dev',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      version('v1', true, {
        mode: { type: 'string', enum: ['Fast', 'Slow'] },
        count: { type: 'integer', default: 1 },
        since: { type: 'string', format: 'date-time' },
        address: { type: 'string', format: 'ipv4' },
      }),
      {
        ...version('v1beta1', false, { mode: { type: 'string' }, old: { type: 'string', default: 'x' } }),
        deprecated: true,
      },
    ],
  },
}

function version(name: string, storage: boolean, properties: Body): Body & { readonly name: string } {
  const spec = { type: 'object', properties, ...(storage ? { required: ['mode'] } : {}) }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  return { name, served: true, storage, schema, subresources: { status: {} } }
}

const owner = { manager: 'owner', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/$NS'
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...named('put'), spec: { holderIdentity: 'me' } }
const pod = { spec: { containers: [{ name: 'main', image: 'app:1' }] } }

const oddOptions: readonly Query[] = [
  { fieldValidation: 'Nope' },
  { dryRun: 'Nope' },
  { fieldManager: 'x'.repeat(129) },
  { fieldManager: '\u0000' },
  { dryRun: 'All', fieldValidation: '' },
]

const selectors = [
  'a=1,mine=yes',
  'a!=1,mine',
  'a in (1, 2)',
  'a notin (1),mine',
  'a in (),mine',
  'a in (,1),mine',
  '!b,mine',
  'b=,mine',
  'n>5',
  'n < 10 ,mine',
  'in in (in)',
  'n>abc',
  'a=1=2',
  '=1',
  'a b',
  'a in 1',
  'a in (1',
  '(a)',
  '!',
  ',a',
  'a,',
  'a=not!ok',
  'bad key=1',
  'a/b/c=1',
  'a===1',
  '!a=1',
  'a !in (1)',
  `a=${'x'.repeat(64)}`,
  'a~1',
  'n>5.5',
]

const fieldSelectors = [
  'metadata.name=one',
  'metadata.name!=one',
  'metadata.name=one,',
  'metadata.name=a\\,b',
  'metadata.name',
  'metadata.name=a\\qb',
  'metadata.name=one=x',
  'spec.foo=1',
  'metadata.name = one',
]

/** What clients get wrong, or rarely do. */
export const requestCases: readonly RequestCase[] = [
  {
    name: 'options that make no sense',
    requests: [
      ...oddOptions.map((query) => post(maps, map('options'), query)),
      patch('merge', `${maps}/options`, {}, { force: true }),
      patch('apply', `${maps}/options`, map('options')),
      remove(`${maps}/options`, undefined, { propagationPolicy: 'Nope' }),
      remove(`${maps}/options`, { propagationPolicy: 'Orphan', orphanDependents: false }),
      remove(`${maps}/options`, { gracePeriodSeconds: 'soon' }),
      // A body makes the query count for nothing.
      post(maps, map('options')),
      remove(`${maps}/options`, { dryRun: ['All'] }, { propagationPolicy: 'Nope' }),
      remove(`${maps}/options`, { preconditions: { uid: 'another' } }),
      remove(`${maps}/options`, { orphanDependents: false }),
    ],
  },
  {
    name: 'selectors, right and wrong',
    requests: [
      post(maps, map('one', { labels: { mine: 'yes', a: '1', n: '5' } })),
      post(maps, map('two', { labels: { mine: 'yes', a: '2', n: '10' } })),
      post(maps, map('three', { labels: { mine: 'yes', b: '', n: 'abc' } })),
      ...selectors.map((labelSelector) => get(maps, { labelSelector })),
      ...fieldSelectors.map((fieldSelector) => get(maps, { labelSelector: 'mine', fieldSelector })),
    ],
  },
  {
    name: 'lists by version and in pages',
    requests: [
      post(maps, map('page-1', { labels: { paged: 'yes' } })),
      post(maps, map('page-2', { labels: { paged: 'yes' } })),
      get(maps, { labelSelector: 'paged', limit: '1' }),
      get(maps, { labelSelector: 'paged', limit: '1', resourceVersion: '0' }),
      get(maps, { labelSelector: 'paged', limit: 'x' }),
      get(maps, { labelSelector: 'paged', resourceVersionMatch: 'Exact' }),
      get(maps, { labelSelector: 'paged', resourceVersion: '0', resourceVersionMatch: 'Exact' }),
      get(maps, { labelSelector: 'paged', sendInitialEvents: true }),
      get(maps, { continue: 'nonsense' }),
      get(`${maps}/page-1`, { watch: true }),
      remove('/api/v1/configmaps', undefined, { labelSelector: 'paged' }),
      remove('/api/v1/namespaces', undefined, { labelSelector: 'paged' }),
      post('/api/v1/configmaps', map('nowhere')),
      remove(maps, undefined, { labelSelector: 'paged' }),
    ],
  },
  {
    name: 'metadata that only the server sets, or nobody may',
    requests: [
      post(maps, map('meta', { resourceVersion: '1' })),
      post(maps, map('meta-1', { generation: 7, uid: 'mine', deletionTimestamp: '2020-01-01T00:00:00Z' })),
      post(maps, map('meta-2', { managedFields: [{ ...owner, fieldsV1: { 'f:data': { 'f:a': {} } } }] })),
      post(maps, map('meta-3', { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'e' }] })),
      post(maps, map('meta-4', { ownerReferences: [{ apiVersion: 'a/b/c', kind: 'X', name: 'e', uid: 'e' }] })),
      post(maps, { ...map('meta-5'), metadata: 'text' }),
      post(maps, { ...map('meta-5'), data: { a: 1 } }),
      put(`${maps}/meta-1`, map('')),
      put(`${maps}/meta-1`, map('meta-1', { resourceVersion: 'abc' })),
      put(`${maps}/meta-1`, map('meta-1', { resourceVersion: '0' })),
      put(`${maps}/meta-1`, map('meta-1', { deletionTimestamp: '2020-01-01T00:00:00Z' })),
      patch('merge', `${maps}/meta-1`, { nope: 1 }, { fieldValidation: 'Strict' }),
      patch('strategic', `${maps}/meta-1`, { nope: 1 }, { fieldValidation: 'Strict' }),
      patch('json', `${maps}/meta-1`, [{ op: 'add', path: '/nope', value: 1 }], { fieldValidation: 'Strict' }),
    ],
  },
  {
    name: 'applied objects that do not fit',
    requests: [
      patch('apply', `${maps}/fit`, { ...map('fit'), data: { a: 1 } }, manager),
      patch('apply', `${maps}/fit`, { ...map('fit'), data: [] }, manager),
      patch('apply', `${maps}/fit`, { ...map('fit'), metadata: {} }, manager),
      patch('apply', `${maps}/fit`, map('fit', { uid: 'mine' }), manager),
      patch('apply', `${maps}/fit`, map('fit'), manager),
      patch('apply', `${maps}/fit`, map('fit', { uid: 'mine' }), manager),
    ],
  },
  {
    name: 'kinds that PUT creates, and kinds that it does not replace blindly',
    requests: [
      put(`/apis/coordination.k8s.io/v1/namespaces/$NS/leases/put`, lease),
      put(`/apis/coordination.k8s.io/v1/namespaces/$NS/leases/put`, lease),
      put(`${rbac}/roles/put`, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        ...named('put'),
        rules: [],
      }),
      put(`${maps}/put`, map('put')),
      put(`${core}/limitranges/put`, { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'put', uid: 'mine' } }),
    ],
  },
  {
    name: 'what a deletion answers',
    requests: [
      post(`${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', ...named('gone') }),
      remove(`${core}/serviceaccounts/gone`),
      post(`${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', ...named('gone') }),
      remove(`${core}/secrets/gone`),
      post(`${core}/podtemplates`, { apiVersion: 'v1', kind: 'PodTemplate', ...named('gone'), template: pod }),
      remove(`${core}/podtemplates/gone`),
    ],
  },
  {
    name: 'ports, addresses and tokens that are not to be had',
    requests: [
      post(`${core}/services`, service('port', { type: 'NodePort', ports: [{ port: 80, nodePort: 1 }] })),
      post(`${core}/serviceaccounts/default/token`, token({ expirationSeconds: 5 })),
      post(`${core}/serviceaccounts/default/token`, token({ expirationSeconds: 2 ** 33 })),
      post(
        `${core}/serviceaccounts/default/token`,
        token({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } }),
      ),
      post(
        `${core}/serviceaccounts/default/token`,
        token({ boundObjectRef: { kind: 'Nope', apiVersion: 'v1', name: 'none' } }),
      ),
      post(`${core}/serviceaccounts/nobody/token`, token({})),
    ],
  },
  {
    name: 'more updaters than are told apart',
    requests: [
      post(maps, map('busy'), { fieldManager: 'm10' }),
      ...Array.from({ length: 13 }, (_, index) => `m${index + 11}`).map((fieldManager) =>
        patch('merge', `${maps}/busy`, { data: { [fieldManager]: '1' } }, { fieldManager }),
      ),
    ],
  },
  {
    name: 'kubectl on the server after kubectl on the client',
    requests: [
      post(maps, lastApplied({ a: '1', b: '1' }), { fieldManager: 'kubectl-client-side-apply' }),
      patch('apply', `${maps}/moved`, { ...map('moved'), data: { a: '2' } }, { fieldManager: 'other' }),
      patch('apply', `${maps}/moved`, { ...map('moved'), data: { a: '2' } }, { fieldManager: 'kubectl' }),
      patch('merge', `${maps}/moved`, { data: { b: '3' } }, { fieldManager: 'm10' }),
      patch('apply', `${maps}/moved`, { ...map('moved'), data: { a: '3', b: '4' } }, { fieldManager: 'kubectl' }),
    ],
  },
  {
    name: 'custom resources in two versions',
    ownersAside: true,
    requests: [
      post(things('v1'), thing('v1', 'both', { mode: 'Fast' })),
      get(`${things('v1beta1')}/both`),
      patch('merge', `${things('v1beta1')}/both`, { spec: { old: 'y', mode: 'Slow' } }),
      get(`${things('v1')}/both`),
      get(things('v1beta1')),
      post(things('v1beta1'), thing('v1beta1', 'late', {})),
      get(`${things('v1')}/late`),
      // What was wrong before does not stand in the way of what is right.
      patch('merge', `${things('v1')}/late`, { metadata: { labels: { a: 'b' } } }),
      patch('merge', `${things('v1')}/late`, { spec: { count: 2 } }),
      post(things('v1'), thing('v1', 'when', { mode: 'Fast', since: 'yesterday' })),
      post(things('v1'), thing('v1', 'when', { mode: 'Fast', since: '2020-01-01T00:00:00Z', address: '192.0.2.1' })),
      post(things('v1'), thing('v1', 'where', { mode: 'Fast', address: 'here' })),
      post(things('v1'), { kind: 'Thing', ...named('bare'), spec: { mode: 'Fast' } }),
      get(things('v2')),
    ],
  },
]
