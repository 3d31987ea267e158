import { randomUUID } from 'node:crypto'
import { answer, type Exchange, limited } from './exchange.ts'
import { isRepositoryName } from './path.ts'
import { RegistryError } from './registry-error.ts'
import type { Repository } from './repository.ts'
import { digestOrRefuse } from './serve-blobs.ts'
import type { BlobWriter } from './storage/storage.ts'

/** Uploads that have begun and not ended; they live as long as the registry runs. */
export class Uploads {
  readonly #sessions = new Map<string, Session>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  /** POST to `/v2/NAME/blobs/uploads/`: all at once, by mounting, or the beginning of a session. */
  async begin(exchange: Exchange, name: string, repository: Repository): Promise<void> {
    if (exchange.request.method !== 'POST') throw new RegistryError('UNSUPPORTED', 'uploads begin with a POST')
    const { searchParams } = exchange.url
    const [mount, from, digest] = ['mount', 'from', 'digest'].map((key) => searchParams.get(key) ?? undefined)
    if (digest !== undefined) digestOrRefuse(digest)
    if (mount !== undefined && from !== undefined && isRepositoryName(from)) {
      if (await repository.storage.mount(digestOrRefuse(mount), from)) return created(exchange, name, mount)
    }
    const session: Session = { name, writer: await repository.storage.write(), busy: false }
    const id = randomUUID()
    this.#sessions.set(id, session)
    if (digest !== undefined) return this.#finish(exchange, id, session, digest)
    accepted(exchange, id, session, 202)
  }

  /** GET, PATCH, PUT and DELETE of a session. */
  async serve(exchange: Exchange, name: string, id: string): Promise<void> {
    const session = this.#sessions.get(id)
    if (session === undefined || session.name !== name) {
      throw new RegistryError('BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry')
    }
    switch (exchange.request.method) {
      case 'GET':
      case 'HEAD':
        return accepted(exchange, id, session, 204)
      case 'PATCH':
        await this.#append(exchange, id, session)
        return accepted(exchange, id, session, 202)
      case 'PUT':
        return this.#finish(exchange, id, session, exchange.url.searchParams.get('digest') ?? '')
      case 'DELETE':
        await this.#drop(id, session)
        return answer(exchange, 204, {})
      default:
        throw new RegistryError('UNSUPPORTED', 'an upload knows GET, PATCH, PUT and DELETE')
    }
  }

  /** Forgets all sessions. */
  async close(): Promise<void> {
    for (const [id, session] of this.#sessions) await this.#drop(id, session)
  }

  async #append(exchange: Exchange, id: string, session: Session): Promise<void> {
    const { request } = exchange
    checkRange(exchange, id, session)
    // Two requests that write at once would mix their bytes.
    if (session.busy) throw outOfOrder(id, session)
    session.busy = true
    try {
      await session.writer.append(limited(request, this.#limit - session.writer.size, 'a blob'))
    } finally {
      session.busy = false
    }
  }

  async #finish(exchange: Exchange, id: string, session: Session, text: string): Promise<void> {
    const digest = digestOrRefuse(text)
    await this.#append(exchange, id, session)
    if (!(await session.writer.commit(digest))) {
      await this.#drop(id, session)
      throw new RegistryError('DIGEST_INVALID', 'provided digest did not match uploaded content', {
        detail: { digest: text },
      })
    }
    this.#sessions.delete(id)
    created(exchange, session.name, text)
  }

  async #drop(id: string, session: Session): Promise<void> {
    this.#sessions.delete(id)
    await session.writer.discard()
  }
}

interface Session {
  readonly name: string
  readonly writer: BlobWriter
  busy: boolean
}

function checkRange({ request }: Exchange, id: string, session: Session): void {
  const header = request.headers['content-range']
  if (header === undefined) return
  const [, first, last] = /^(?:bytes[ =])?(\d+)-(\d+)(?:\/.*)?$/.exec(header) ?? []
  if (first === undefined || Number(first) !== session.writer.size || Number(last) < Number(first)) {
    throw outOfOrder(id, session)
  }
  const length = request.headers['content-length']
  if (length !== undefined && Number(length) !== Number(last) - Number(first) + 1) {
    throw new RegistryError('SIZE_INVALID', 'Content-Length and Content-Range do not agree')
  }
}

function outOfOrder(id: string, session: Session): RegistryError {
  return new RegistryError('RANGE_INVALID', 'the chunk does not start where the last one ended', {
    headers: position(id, session),
  })
}

function accepted(exchange: Exchange, id: string, session: Session, status: number): void {
  answer(exchange, status, position(id, session))
}

function position(id: string, { name, writer }: Session): Record<string, string> {
  return {
    location: `/v2/${name}/blobs/uploads/${id}`,
    range: `0-${Math.max(0, writer.size - 1)}`,
    'docker-upload-uuid': id,
  }
}

function created(exchange: Exchange, name: string, digest: string): void {
  answer(exchange, 201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest })
}
