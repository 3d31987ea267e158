import { isPortName, type KubeObject, type LadingError, type ObjectRef, parseJson, refOf } from '../../core/index.ts'
import { annotation, invalidAnnotation, mistakesIn } from '../annotations/annotations.ts'
import { portNames } from './port-names.ts'

/** A check that an object asks for in its annotations. */
export type HealthCheck = HttpCheck | UrlCheck | CommandCheck

/** A request that has to be answered well. */
export interface HttpCheck {
  readonly type: 'http'
  readonly ref: ObjectRef
  /** With a slash in front, and without a way out of the address that is asked. */
  readonly path: string
  /** A number, or the name of a port of the pod or Service. */
  readonly port: string
}

/** An address that has to answer well, asked by Lading itself and not through the API server. */
export interface UrlCheck {
  readonly type: 'url'
  readonly ref: ObjectRef
  readonly url: string
}

/** A program in a container that has to end well. */
export interface CommandCheck {
  readonly type: 'command'
  readonly ref: ObjectRef
  readonly command: readonly string[]
}

/** Reads the check out of an object's annotations; undefined when it asks for none. */
export function parseCheck(object: KubeObject): HealthCheck | undefined {
  if (!isAskedFor(object)) return undefined
  const type = parseType(object)
  const ref = refOf(object)
  switch (type) {
    case 'http':
      return { type, ref, path: parsePath(object), port: parsePort(object) }
    case 'url':
      return { type, ref, url: parseUrl(object) }
    case 'command':
      return { type, ref, command: parseCommand(object) }
  }
}

/** What is wrong with the annotations of an object's check. */
export function checkMistakes(object: KubeObject): LadingError[] {
  const unreadable = mistakesIn(() => isAskedFor(object) && parseType(object))
  if (unreadable.length > 0 || !isAskedFor(object)) return unreadable
  switch (parseType(object)) {
    case 'http':
      return mistakesIn(
        () => parsePath(object),
        () => refuseUnknownPort(object, parsePort(object)),
      )
    case 'url':
      return mistakesIn(() => parseUrl(object))
    case 'command':
      return mistakesIn(() => parseCommand(object))
  }
}

function isAskedFor(object: KubeObject): boolean {
  const text = annotation(object, 'health-check')?.trim() ?? 'false'
  if (text !== 'true' && text !== 'false') {
    throw invalidAnnotation(object, 'health-check', `${text} is neither true nor false`)
  }
  return text === 'true'
}

function parseType(object: KubeObject): HealthCheck['type'] {
  const type = annotation(object, 'health-check-type')?.trim() ?? impliedType(object)
  if (type !== 'http' && type !== 'url' && type !== 'command') {
    throw invalidAnnotation(object, 'health-check-type', `${type} is no type; the types are http, url, command`)
  }
  if (!isCheckable(refOf(object), type)) {
    throw invalidAnnotation(object, 'health-check', `${type} checks of this kind are not possible; url checks are`)
  }
  return type
}

function impliedType(object: KubeObject): HealthCheck['type'] {
  if (annotation(object, 'health-check-url') !== undefined) return 'url'
  return annotation(object, 'health-check-command') === undefined ? 'http' : 'command'
}

const workloads = new Set([
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'Job.batch',
  'Pod.',
])

function isCheckable({ kind, group }: ObjectRef, type: string): boolean {
  // An address says itself where it leads: an Ingress or a custom resource can have one too.
  if (type === 'url') return true
  if (kind === 'Service' && group === '') return type !== 'command'
  return workloads.has(`${kind}.${group}`)
}

/** An address of the web without a password, which would stand in the cluster for everybody to read. */
function parseUrl(object: KubeObject): string {
  const text = annotation(object, 'health-check-url')?.trim() ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidAnnotation(
      object,
      'health-check-url',
      'it is no http:// or https:// address without user and password',
    )
  }
  return url.href
}

/** The path is made plain here: `..` in it would reach other parts of the API server. */
function parsePath(object: KubeObject): string {
  const text = annotation(object, 'health-check-path')?.trim() ?? '/'
  if (!text.startsWith('/') || text.startsWith('//')) {
    throw invalidAnnotation(object, 'health-check-path', `${text} does not begin with one slash`)
  }
  const { pathname, search } = new URL(text, 'http://pod')
  return `${pathname}${search}`
}

function parsePort(object: KubeObject): string {
  const text = annotation(object, 'health-check-port')?.trim() ?? ''
  // A port's number, or its name as IANA service names are written.
  const named = isPortName(text)
  const numbered = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
  if (!named && !numbered) {
    const why = text === '' ? 'it is missing' : `${text} is no port`
    throw invalidAnnotation(object, 'health-check-port', `${why}; give a number from 1 to 65535 or the name of a port`)
  }
  return text
}

/** A name that no container or Service has would only be found out when everything is written. */
function refuseUnknownPort(object: KubeObject, port: string): void {
  const known = portNames(object)
  if (/^\d+$/.test(port) || known === undefined || known.includes(port)) return
  const names = known.length === 0 ? 'no port has a name' : `the names are ${known.join(', ')}`
  throw invalidAnnotation(object, 'health-check-port', `no port is named ${port}; ${names}`)
}

/** A JSON list of words, or words with blanks between them, quoted where they hold blanks: no shell reads them. */
function parseCommand(object: KubeObject): string[] {
  const text = annotation(object, 'health-check-command')?.trim() ?? ''
  const words = text.startsWith('[') ? parseList(object, text) : splitWords(object, text)
  if (words.length === 0) throw invalidAnnotation(object, 'health-check-command', 'it names no program')
  return words
}

function parseList(object: KubeObject, text: string): string[] {
  try {
    const list: unknown = parseJson(text)
    if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list
  } catch {
    // Told below.
  }
  throw invalidAnnotation(object, 'health-check-command', 'it begins as a JSON list and is none of texts')
}

function splitWords(object: KubeObject, text: string): string[] {
  if (text.replaceAll(word, '').trim() !== '')
    throw invalidAnnotation(object, 'health-check-command', 'a quotation mark is not closed')
  const unquote = (quoted: string): string => quoted.slice(1, -1)
  return [...text.matchAll(word)].map(([found]) => found.replaceAll(/"[^"]*"|'[^']*'/g, unquote))
}

const word = /(?:[^\s"']|"[^"]*"|'[^']*')+/g
