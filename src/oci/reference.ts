import { LadingError } from '../core/index.ts'
import { isDigest } from './descriptor.ts'

/** Where an artifact lies: a repository of a registry, and a tag, a digest, both or none of them. */
export interface Reference {
  /** Host, with the port where it is not the scheme's own. */
  readonly registry: string
  readonly repository: string
  readonly tag?: string
  /** Decides where there is a tag too. */
  readonly digest?: string
}

/** The name of a repository. */
export type RepositoryName = Pick<Reference, 'registry' | 'repository'>

const host =
  /^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*)(?::([0-9]{1,5}))?$/
const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const repositoryName = new RegExp(`^${component}(?:/${component})*$`)
const tagName = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/

/**
 * Reads `[oci://]HOST[:PORT]/REPOSITORY[:TAG][@DIGEST]` by Docker's rules for names. A host is required: without a
 * scheme the first part is one only if it has a dot or a port or is `localhost`, as Docker decides too, but where
 * Docker would then go to Docker Hub, Lading refuses.
 */
export function parseReference(text: string): Reference {
  const invalid = (what: string): LadingError => new LadingError('oci.reference-invalid', `${showable(text)} ${what}`)
  if (text.length > 1000) throw invalid('is too long for a reference')
  const [, scheme, rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):\/\/)?(.*)$/s.exec(text) ?? []
  if (scheme !== undefined && scheme !== 'oci') throw invalid(`begins with ${scheme}://; references begin with oci://`)
  if (/[?#]/.test(rest)) throw invalid('has a query or a fragment, which references have not')
  const slash = rest.indexOf('/')
  const registry = slash < 0 ? rest : rest.slice(0, slash)
  if (registry.includes('@')) {
    throw invalid('holds a user or a password: leave them out and log in with `lading login`')
  }
  if (slash < 0 || registry === '') throw invalid('names no repository: write oci://HOST/REPOSITORY')
  if (scheme === undefined && !/[.:]|^localhost$/.test(registry)) {
    throw invalid('names no registry: write oci://HOST/REPOSITORY, for Docker Hub oci://docker.io/library/NAME')
  }
  assertHost(registry, invalid)
  const { repository, ...named } = parseName(rest.slice(slash + 1), invalid)
  return { ...normalName({ registry, repository }), ...named }
}

/** A reference as `parseReference` reads it, with the scheme. */
export function formatReference({ registry, repository, tag, digest }: Reference): string {
  const tagged = tag === undefined ? '' : `:${tag}`
  const pinned = digest === undefined ? '' : `@${digest}`
  return `oci://${registry}/${repository}${tagged}${pinned}`
}

/** Whether a text can be a tag (distribution specification, "Pulling manifests"). */
export function isTag(text: string): boolean {
  return tagName.test(text)
}

/** A tag that can be one; anything else is refused before it becomes part of a path. */
export function assertTag(tag: string): string {
  if (isTag(tag)) return tag
  throw new LadingError('oci.reference-invalid', `${JSON.stringify(tag.slice(0, 300))} is no tag and no digest`)
}

/** Whether a text can name a repository; the specification's pattern and Docker's limit of length. */
export function isRepository(text: string): boolean {
  return text.length <= 255 && repositoryName.test(text)
}

/** Reads the host of a registry, with or without the scheme, as it is logged in to. */
export function parseRegistry(text: string): string {
  const invalid = (what: string): LadingError => new LadingError('oci.reference-invalid', `${showable(text)} ${what}`)
  const registry = text.replace(/^(?:oci|https?):\/\//, '').replace(/\/$/, '')
  if (registry.includes('@')) throw invalid('holds a user or a password: give them apart')
  assertHost(registry, invalid)
  return registry === 'index.docker.io' ? 'docker.io' : registry
}

function parseName(path: string, invalid: (what: string) => LadingError): Omit<Reference, 'registry'> {
  const at = path.indexOf('@')
  const named = at < 0 ? path : path.slice(0, at)
  const colon = named.lastIndexOf(':')
  const repository = colon < 0 ? named : named.slice(0, colon)
  const tag = colon < 0 ? undefined : named.slice(colon + 1)
  const digest = at < 0 ? undefined : path.slice(at + 1)
  if (digest !== undefined && !isDigest(digest)) throw invalid('has no sha256 or sha512 digest after the @')
  if (tag !== undefined && !isTag(tag)) {
    throw invalid('has a tag that is none: letters, digits, _, . and -, at most 128')
  }
  if (!isRepository(repository)) {
    throw invalid('has a repository name that is none: lower-case letters and digits, separated by one of . _ __ - /')
  }
  return { repository, tag, digest }
}

/** Docker's own two rules for Docker Hub: its old name, and `library/` for names of one part. */
function normalName({ registry, repository }: RepositoryName): RepositoryName {
  if (registry !== 'docker.io' && registry !== 'index.docker.io') return { registry, repository }
  return { registry: 'docker.io', repository: repository.includes('/') ? repository : `library/${repository}` }
}

function assertHost(registry: string, invalid: (what: string) => LadingError): void {
  const [matched, port] = host.exec(registry) ?? []
  if (matched === undefined || registry.length > 261) throw invalid('has a host that is none')
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw invalid('has a port that is none')
}

/** The text in an error; one that may hold a password or a token is not shown at all. */
function showable(text: string): string {
  const [before = '', after] = text.split(/@(.*)/s)
  const secret =
    /[?#]/.test(text) || (after !== undefined && (!before.includes('/') || !/^[a-z0-9]+:[0-9a-f]*$/.test(after)))
  return secret ? 'the reference (not shown, it may hold a secret)' : JSON.stringify(text.slice(0, 300))
}
