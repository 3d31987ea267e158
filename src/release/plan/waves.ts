import { formatRef, type KubeObject, LadingError, objectId, refOf } from '../../core/index.ts'
import { annotation, annotationList, invalidAnnotation, mistakesIn } from '../annotations/annotations.ts'

/** Something outside of the set that an object waits for. */
export interface ExternalDependency {
  readonly kind: string
  readonly name: string
  readonly namespace: string
}

/** Objects that are applied together, after everything before them is ready. */
export interface Wave {
  /** The number of the annotation `sync-wave`. */
  readonly order: number
  /** Steps within a wave, made by `wait-for`; 0 for the first. */
  readonly step: number
  readonly objects: readonly KubeObject[]
  /** Those of its objects that others of the set name in `wait-for`. */
  readonly named: readonly KubeObject[]
  /** What has to be on the cluster and ready before this one starts, although the release does not bring it. */
  readonly external: readonly ExternalDependency[]
}

/** Orders a release's objects into waves: by `sync-wave`, and within a wave by what `wait-for` names. */
export function wavesOf(objects: readonly KubeObject[], namespace: string): Wave[] {
  const nodes = objects.map((object) => nodeOf(object))
  const byName = new Map(nodes.map((node) => [nameKey(node.object), node]))
  for (const node of nodes) link(node, byName, namespace)
  for (const node of nodes) assignStep(node, [])
  const groups = Map.groupBy(nodes, (node) => `${node.order}/${node.step}`)
  return [...groups.values()]
    .map((members) => ({
      order: members[0]?.order ?? 0,
      step: members[0]?.step ?? 0,
      objects: members.map((node) => node.object),
      named: members.filter((node) => node.named).map((node) => node.object),
      external: members.flatMap((node) => node.external),
    }))
    .sort((a, b) => a.order - b.order || a.step - b.step)
}

/** Whether the release waits for an object before it goes on. */
export function isWaitedFor(object: KubeObject): boolean {
  return annotation(object, 'skip-wait') !== 'true'
}

/** What is wrong with the annotations of an object about its order and being waited for. */
export function waveMistakes(object: KubeObject): LadingError[] {
  const unreadable = mistakesIn(() => annotation(object, 'wait-for'))
  const entries = unreadable.length > 0 ? [] : annotationList(object, 'wait-for')
  return [
    ...unreadable,
    ...mistakesIn(() => waveOrder(object), ...entries.map((entry) => () => parseDependency(object, entry))),
  ]
}

interface Node {
  readonly object: KubeObject
  readonly order: number
  step: number | undefined
  named: boolean
  readonly dependencies: Node[]
  readonly external: ExternalDependency[]
}

function nodeOf(object: KubeObject): Node {
  return { object, order: waveOrder(object), step: undefined, named: false, dependencies: [], external: [] }
}

/** The wave that an object asks for; 0 unless it does. */
export function waveOrder(object: KubeObject): number {
  const text = annotation(object, 'sync-wave')?.trim() ?? '0'
  if (/^[+-]?\d{1,9}$/.test(text)) return Number(text)
  throw invalidAnnotation(object, 'sync-wave', `${text} is no whole number, such as -1 or 5`)
}

function link(node: Node, byName: ReadonlyMap<string, Node>, namespace: string): void {
  for (const entry of annotationList(node.object, 'wait-for')) {
    const { kind, where, name } = parseDependency(node.object, entry)
    const own = node.object.metadata.namespace ?? namespace
    const at = where ?? own
    const found = byName.get(`${kind}/${at}/${name}`) ?? byName.get(`${kind}//${name}`)
    if (found === undefined) node.external.push({ kind, name, namespace: at })
    else node.dependencies.push(Object.assign(found, { named: true }))
  }
}

function parseDependency(object: KubeObject, entry: string): { kind: string; where?: string; name: string } {
  const parts = entry.split('/')
  const [kind = '', ...rest] = parts
  const name = rest.at(-1) ?? ''
  if (kind === '' || name === '' || parts.length > 3) {
    throw invalidAnnotation(object, 'wait-for', `${entry} is not Kind/name or Kind/namespace/name`)
  }
  const [where] = rest
  return { kind, name, ...(parts.length === 3 && where !== undefined ? { where } : {}) }
}

/** The longest chain of `wait-for` inside the wave decides the step. */
function assignStep(node: Node, path: readonly Node[]): number {
  if (node.step !== undefined) return node.step
  const start = path.indexOf(node)
  if (start >= 0) throw cycle([...path.slice(start), node])
  let step = 0
  for (const dependency of node.dependencies) {
    if (dependency.order > node.order) throw contradiction(node, dependency)
    const before = assignStep(dependency, [...path, node])
    if (dependency.order === node.order) step = Math.max(step, before + 1)
  }
  node.step = step
  return step
}

function cycle(nodes: readonly Node[]): LadingError {
  const names = nodes.map((node) => formatRef(refOf(node.object)))
  return new LadingError('wave.cycle', `these objects wait for each other: ${names.join(' → ')}`, {
    objects: nodes.slice(0, -1).map((node) => objectId(refOf(node.object))),
  })
}

function contradiction(node: Node, dependency: Node): LadingError {
  const [from, to] = [node, dependency].map((each) => formatRef(refOf(each.object)))
  const message = `${from} of wave ${node.order} waits for ${to} of wave ${dependency.order}, which comes later`
  return new LadingError('wave.cycle', message, {
    objects: [node, dependency].map((each) => objectId(refOf(each.object))),
  })
}

function nameKey(object: KubeObject): string {
  return `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`
}
