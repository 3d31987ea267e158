import { stringifyJson } from '../core/index.ts'

/** One cause of a refusal, as `Status.details.causes` carries it. */
export interface Cause {
  readonly reason: string
  readonly message: string
  readonly field?: string
}

/** What a Status says beside code, reason and message. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** A refusal in the API's own form; the server writes it as it is. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly code: number
  readonly reason: string
  readonly details: StatusDetails | undefined

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }

  /** The `v1 Status` object. */
  toStatus(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

/** The refusal of a path outside of every served group; it comes as text, from which clients make up a Status of their own. */
export class PageNotFound extends StatusError {
  constructor() {
    super(404, 'NotFound', '404 page not found\n')
  }
}

/** 400 for a value of another type than its field; applied, it is another refusal. */
export class TypeMismatch extends StatusError {
  readonly given: string
  readonly wanted: string
  /** Where the value stands, and the type that has the field; told by those that looked inside. */
  readonly path: readonly string[]
  readonly owner: string

  constructor(given: string, wanted: string, path: readonly string[] = [], owner = '') {
    const place = path.length === 0 ? 'value' : `struct field ${owner}.${path.join('.')}`
    super(400, 'BadRequest', `json: cannot unmarshal ${given} into Go ${place} of type ${wanted}`)
    this.given = given
    this.wanted = wanted
    this.path = path
    this.owner = owner
  }

  /** The same one level up. */
  below(field: string, owner: string): TypeMismatch {
    return new TypeMismatch(this.given, this.wanted, [field, ...this.path], this.owner === '' ? owner : this.owner)
  }
}

/** A resource as refusals name it. */
export interface Subject {
  readonly group: string
  /** Plural in most refusals, the kind in `Invalid`. */
  readonly resource: string
  readonly kind: string
}

/** 404: there is no such object. */
export function notFound(subject: Subject, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(subject)} "${name}" not found`, detailsOf(subject, name))
}

/** 409: the name is taken. */
export function alreadyExists(subject: Subject, name: string): StatusError {
  return new StatusError(
    409,
    'AlreadyExists',
    `${qualified(subject)} "${name}" already exists`,
    detailsOf(subject, name),
  )
}

/** 409: the object is not the one that the request was made for. */
export function conflict(subject: Subject, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(subject)} "${name}": ${why}`
  return new StatusError(409, 'Conflict', message, detailsOf(subject, name))
}

/** 403: the request is understood and refused. */
export function forbidden(subject: Subject, name: string, why: string, causes?: readonly Cause[]): StatusError {
  const details = { ...detailsOf(subject, name), ...(causes === undefined ? {} : { causes }) }
  return new StatusError(403, 'Forbidden', `${qualified(subject)} "${name}" is forbidden: ${why}`, details)
}

/** 422: fields of the object are refused, all of them named. */
export function invalid(subject: Subject, name: string, causes: readonly Cause[]): StatusError {
  const kind = subject.group === '' ? subject.kind : `${subject.kind}.${subject.group}`
  const texts = [
    ...new Set(causes.map((cause) => (cause.field === undefined ? cause.message : `${cause.field}: ${cause.message}`))),
  ]
  const text = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const named = name === '' ? {} : { name }
  const details = { ...named, ...(subject.group === '' ? {} : { group: subject.group }), kind: subject.kind, causes }
  return new StatusError(422, 'Invalid', `${kind} "${name}" is invalid: ${text}`, details)
}

/** 400: the request makes no sense. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message)
}

/** 500: something that should be there is not. */
export function internalError(message: string): StatusError {
  // The API server gives this one cause no reason.
  const causes = [{ message } as Cause]
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes })
}

/** 500 for a version that is no number, which the API server takes for its own fault. */
export function unreadableVersion(version: string): StatusError {
  return new StatusError(500, '', `strconv.ParseUint: parsing ${stringifyJson(version)}: invalid syntax`)
}

/** 405: the resource does not know this verb. */
export function methodNotAllowed(): StatusError {
  return new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
}

/** 404 for a path that nothing is served at. */
export function noSuchPath(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {})
}

/** 410: the version asked for is too old. */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message)
}

function qualified(subject: Subject): string {
  return subject.group === '' ? subject.resource : `${subject.resource}.${subject.group}`
}

function detailsOf(subject: Subject, name: string): StatusDetails {
  const group = subject.group === '' ? {} : { group: subject.group }
  return { name, ...group, kind: subject.resource }
}
