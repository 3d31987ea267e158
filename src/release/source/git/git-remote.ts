import { type Context, LadingError } from '../../../core/index.ts'
import type { Fetch, FetchOptions } from '../../../render/helm/index.ts'
import { delimiter, flush, lineOf, type Packet, readPackets, writePackets } from './pkt-line.ts'
import { defaultPackBytes } from './read-pack.ts'

/** A name of a repository, and the commit that it means. */
export interface GitRef {
  readonly name: string
  /** The object that it names: a commit, or the tag's own object. */
  readonly id: string
  /** Of a tag with an object of its own: the commit. */
  readonly peeled?: string
}

/** A repository on another host. */
export interface GitRemote {
  /** The names that begin like one of these. */
  refs(prefixes: readonly string[]): Promise<GitRef[]>
  /** A pack with one commit, or with a tag and its commit, and all of its files, without history. */
  pack(id: string): Promise<Uint8Array>
}

const protocol = { 'git-protocol': 'version=2' }
const maxAdvertisedBytes = 1024 * 1024
const maxRefsBytes = 16 * 1024 * 1024

/** Opens a repository by git's smart HTTP protocol, version 2 (gitprotocol-v2), as data over a fetch that is handed in. */
export async function openGitRemote(
  url: string,
  fetch: Fetch,
  how: Pick<FetchOptions, 'namedBy' | 'onRedirect'>,
  ctx: Context,
): Promise<GitRemote> {
  const service = '/info/refs?service=git-upload-pack'
  let base = url.replace(/\/+$/, '')
  const { signal } = ctx
  const onRedirect = (to: string): void => {
    how.onRedirect?.(to)
    // As git does: who sends this question elsewhere means all of them.
    if (to.endsWith(service)) base = to.slice(0, -service.length)
  }
  const advertised = await fetch(`${base}${service}`, {
    ...how,
    onRedirect,
    headers: protocol,
    limit: maxAdvertisedBytes,
    signal,
  })
  checkVersion(linesOf(readPackets(advertised)), url)
  const command = (packets: Parameters<typeof writePackets>[0], limit: number): Promise<Uint8Array> =>
    fetch(`${base}/git-upload-pack`, {
      ...how,
      headers: {
        ...protocol,
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
      },
      body: writePackets(packets),
      limit,
      signal,
    })
  return {
    async refs(prefixes) {
      const wanted = prefixes.map((prefix) => `ref-prefix ${prefix}`)
      const answer = await command(['command=ls-refs', ...agent, delimiter, 'peel', ...wanted, flush], maxRefsBytes)
      return linesOf(readPackets(answer)).map(readRef)
    },
    async pack(id) {
      const wanted = ['no-progress', 'ofs-delta', `want ${id}`, 'deepen 1', 'done']
      // Packets put 5 bytes before at most 65,515.
      const limit = defaultPackBytes + 1024 * 1024
      return packOf(readPackets(await command(['command=fetch', ...agent, delimiter, ...wanted, flush], limit)))
    },
  }
}

const agent = ['agent=lading', 'object-format=sha1']

function checkVersion(lines: readonly string[], url: string): void {
  const own = lines[0]?.startsWith('# service=') === true ? lines.slice(1) : lines
  if (own[0] !== 'version 2') {
    const problem = `${url} is no git repository, or its server does not speak version 2 of the git protocol`
    throw new LadingError('git.failed', problem, { url })
  }
  const format = own.find((line) => line.startsWith('object-format='))
  if (format !== undefined && format !== 'object-format=sha1') {
    throw new LadingError('git.failed', `${url} uses ${format}, Lading reads repositories of SHA-1`, { url })
  }
}

function linesOf(packets: Iterable<Packet>): string[] {
  const lines: string[] = []
  for (const packet of packets) {
    if (typeof packet === 'string') continue
    const line = lineOf(packet)
    if (line.startsWith('ERR ')) throw serverError(line.slice(4))
    lines.push(line)
  }
  return lines
}

function readRef(line: string): GitRef {
  const [id = '', name = '', ...rest] = line.split(' ')
  if (!/^[\da-f]{40}$/.test(id) || name === '') {
    throw new LadingError('git.failed', 'the server does not speak the git protocol: a name has no commit')
  }
  const peeled = rest.find((each) => each.startsWith('peeled:'))?.slice('peeled:'.length)
  return { name, id, ...(peeled === undefined ? {} : { peeled }) }
}

/** The pack out of the sections of an answer: `packfile`, in which the first byte of each packet says what it is. */
function packOf(packets: Iterable<Packet>): Uint8Array {
  const chunks: Uint8Array[] = []
  let isPack = false
  for (const packet of packets) {
    if (typeof packet === 'string') continue
    if (!isPack) {
      const line = lineOf(packet)
      if (line.startsWith('ERR ')) throw serverError(line.slice(4))
      isPack = line === 'packfile'
    } else if (packet[0] === 1) chunks.push(packet.subarray(1))
    else if (packet[0] === 3) throw serverError(lineOf(packet.subarray(1)))
    else if (packet[0] !== 2)
      throw new LadingError('git.failed', 'the server does not speak the git protocol: bad band')
  }
  if (!isPack) throw new LadingError('git.failed', 'the server sent no pack')
  return Buffer.concat(chunks)
}

// What a server says is shown in part only: it is somebody else's text.
function serverError(text: string): LadingError {
  const words = text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 200)
  return new LadingError('git.failed', `the git server refuses: ${words}`)
}
