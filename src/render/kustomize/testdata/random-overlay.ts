import * as fc from 'fast-check'
import { env, type Fields, image, label, labels, namespace, object, objectName, word } from './random-object.ts'

/** The files of a random base with overlays over it; the kustomization to build stands in `top`. */
export type RandomTree = Readonly<Record<string, string>>

/** The first base, one beside it, or a layer over them. */
type Role = 'base' | 'second' | 'overlay'

interface Layer {
  readonly kustomization: Fields
  readonly resources: readonly Fields[]
}

const anchors = fc.tuple(word, image).map(([key, runs]): Fields[] => [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'conf' }, data: { key } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { template: { spec: { containers: [{ name: 'main', image: runs }] } } },
  },
])

/** A random tree: a base, sometimes a second one, and one to three overlays over them. */
export function randomTree(): fc.Arbitrary<RandomTree> {
  return fc
    .record({
      bases: fc.tuple(layer('base'), maybe(layer('second'), 3)).map((all) => all.filter((each) => each !== undefined)),
      overlays: fc.array(layer('overlay'), { minLength: 1, maxLength: 3 }),
    })
    .map(({ bases, overlays }) => {
      const files: Record<string, string> = {}
      bases.forEach((base, index) => writeLayer(files, `base${index}`, base, []))
      overlays.forEach((overlay, index) => {
        const below = index === 0 ? bases.map((_, at) => `../base${at}`) : [`../layer${index - 1}`]
        writeLayer(files, index === overlays.length - 1 ? 'top' : `layer${index}`, overlay, below)
      })
      return files
    })
}

// JSON is YAML, and leaves the quoting of the input out of the question.
function writeLayer(files: Record<string, string>, folder: string, layer: Layer, below: readonly string[]): void {
  const own = layer.resources.map((object, index) => {
    files[`${folder}/object${index}.yaml`] = `${JSON.stringify(object, undefined, 2)}\n`
    return `object${index}.yaml`
  })
  const kustomization = { resources: [...below, ...own], ...layer.kustomization }
  files[`${folder}/kustomization.yaml`] = `${JSON.stringify(kustomization, undefined, 2)}\n`
}

function layer(role: Role): fc.Arbitrary<Layer> {
  const random = fc.uniqueArray(object(), { maxLength: role === 'overlay' ? 1 : 6, selector: nameAndKind })
  const resources =
    role === 'base' ? fc.tuple(anchors, random).map(([fixed, more]) => withAnchors(fixed, more)) : random
  return fc.record({ resources, kustomization: kustomization(role) })
}

// What patches, replacements and references of the layers above aim at is always in the first base.
function withAnchors(fixed: readonly Fields[], random: readonly Fields[]): Fields[] {
  const taken = new Set(fixed.map(nameAndKind))
  return [...fixed, ...random.filter((object) => !taken.has(nameAndKind(object)))]
}

function nameAndKind(object: Fields): string {
  return `${String(object['kind'])}/${String((object['metadata'] as Fields)['name'])}`
}

function kustomization(role: Role): fc.Arbitrary<Fields> {
  return fc.record({
    namePrefix: role === 'second' ? fc.constant('second-') : maybe(fc.constantFrom('pre-', 'x-'), 2),
    nameSuffix: maybe(fc.constantFrom('-suf', '-1a'), 3),
    namespace: maybe(namespace, 3),
    commonLabels: maybe(labels, 4),
    labels: maybe(fc.array(labelEntry(), { minLength: 1, maxLength: 2 }), 3),
    commonAnnotations: maybe(fc.dictionary(label, word, { minKeys: 1, maxKeys: 2, noNullPrototype: true }), 3),
    images: maybe(fc.array(imageEntry(), { minLength: 1, maxLength: 2 }), 3),
    replicas:
      role === 'second'
        ? fc.constant(undefined)
        : maybe(
            fc.record({ name: fc.constant('web'), count: fc.nat(9) }).map((entry) => [entry]),
            5,
          ),
    configMapGenerator: role === 'base' ? generators(role) : maybe(generators(role), 4),
    secretGenerator: maybe(generators(role), role === 'overlay' ? 12 : 3),
    patches: maybe(fc.array(patch(), { minLength: 1, maxLength: 3 }), 3),
    replacements:
      role === 'overlay' ? maybe(fc.array(replacement(), { minLength: 1, maxLength: 2 }), 4) : fc.constant(undefined),
    sortOptions: maybe(fc.constantFrom({ order: 'legacy' }, { order: 'fifo' }), 2),
  })
}

// One layer has few of all the fields, so that most trees build and what differs is easy to see.
function maybe<T>(arbitrary: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
}

function labelEntry(): fc.Arbitrary<Fields> {
  const flag = fc.option(fc.boolean(), { nil: undefined })
  return fc.record({ pairs: labels, includeSelectors: flag, includeTemplates: flag })
}

function imageEntry(): fc.Arbitrary<Fields> {
  return fc.record({
    name: fc.constantFrom('nginx', 'example.com:5000/team/app', 'redis'),
    newName: fc.option(fc.constantFrom('mirror.example.com/nginx', 'redis'), { nil: undefined }),
    newTag: fc.option(fc.constantFrom('v2', '1.0'), { nil: undefined }),
    digest: maybe(fc.constant('sha256:' + '2'.repeat(64)), 3),
  })
}

function generators(role: Role): fc.Arbitrary<Fields[]> {
  const literals = fc.uniqueArray(
    fc.tuple(fc.constantFrom('key', 'a', 'b'), word).map(([key, value]) => `${key}=${value}`),
    { minLength: 1, maxLength: 3, selector: (literal) => literal.split('=')[0] },
  )
  const entry = fc.record({
    name: role === 'second' ? fc.constant('more') : fc.constant('gen'),
    literals,
    behavior: role === 'overlay' ? fc.constantFrom('merge', 'replace') : fc.constant(undefined),
    options: fc.option(
      fc.record({ disableNameSuffixHash: fc.boolean(), labels: fc.option(labels, { nil: undefined }) }),
      {
        nil: undefined,
      },
    ),
  })
  return fc.uniqueArray(entry, { minLength: 1, maxLength: 2, selector: ({ name }) => name })
}

const workloads = { Deployment: 'apps/v1', StatefulSet: 'apps/v1' } as const

function patch(): fc.Arbitrary<Fields> {
  const kind = fc.constantFrom('Deployment', 'StatefulSet')
  const container = fc.record(
    { name: fc.constantFrom('main', 'side'), image, env: env(), $patch: fc.constantFrom('delete', 'merge', 'replace') },
    { requiredKeys: ['name'] },
  )
  const spec = fc.record(
    {
      replicas: fc.constantFrom(2, null),
      template: fc.record({
        spec: fc.record({
          containers: fc.uniqueArray(container, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
        }),
      }),
    },
    { requiredKeys: [] },
  )
  const merge = fc.tuple(kind, objectName, spec).map(([each, name, fields]) => ({
    patch: JSON.stringify({ apiVersion: workloads[each], kind: each, metadata: { name: 'any' }, spec: fields }),
    target: { kind: each, name },
  }))
  const operation = fc.constantFrom<Fields>(
    { op: 'add', path: '/metadata/labels', value: { patched: 'yes' } },
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'patched:v1' },
    { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'extra', image: 'redis' } },
    { op: 'add', path: '/spec/replicas', value: 4 },
  )
  const json6902 = fc.tuple(kind, fc.array(operation, { minLength: 1, maxLength: 2 })).map(([each, operations]) => ({
    patch: JSON.stringify(operations),
    target: { kind: each },
  }))
  return fc.oneof({ weight: 3, arbitrary: merge }, { weight: 1, arbitrary: json6902 })
}

function replacement(): fc.Arbitrary<Fields> {
  const option = fc.constantFrom<Fields>({ create: true }, { create: true, delimiter: '/', index: 0 })
  return fc.record({
    source: fc.record({
      kind: fc.constant('ConfigMap'),
      name: fc.constantFrom('conf', 'gen'),
      fieldPath: fc.constantFrom('data.key', 'metadata.name'),
    }),
    targets: fc
      .record({
        select: fc.record({ kind: fc.constantFrom('Deployment', 'Service', 'Widget') }),
        fieldPaths: fc.constantFrom(['metadata.annotations.filled'], ['metadata.labels.filled', 'spec.text']),
        options: option,
      })
      .map((target) => [target]),
  })
}
