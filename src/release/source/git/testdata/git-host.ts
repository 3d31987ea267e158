import type { Fetch } from '../../../../render/helm/index.ts'
import { LadingError } from '../../../../core/index.ts'
import type { GitObject } from '../git-object.ts'
import { makePack } from './make-pack.ts'

/** A host that speaks the git protocol, version 2, in memory. */
export interface GitHost {
  readonly fetch: Fetch
  /** Every request, as METHOD URL. */
  readonly requests: string[]
  /** Repositories by their addresses. */
  readonly repositories: Map<string, Repository>
  /** What is answered instead of a pack. */
  answer?: Uint8Array
}

interface Repository {
  readonly objects: readonly GitObject[]
  /** Names and what they mean, as `ID` or `ID peeled:ID`. */
  readonly refs: Readonly<Record<string, string>>
}

/** Starts a host in memory. */
export function gitHost(): GitHost {
  const repositories = new Map<string, Repository>()
  const requests: string[] = []
  const host: GitHost = {
    repositories,
    requests,
    fetch: async (url, { body }) => {
      requests.push(`${body === undefined ? 'GET' : 'POST'} ${url}`)
      const [, base = '', service] = /^(.*?)\/(info\/refs\?service=git-upload-pack|git-upload-pack)$/.exec(url) ?? []
      const repository = repositories.get(base)
      if (repository === undefined) throw new LadingError('chart.not-found', `there is nothing at ${url}`, { status: 404 })
      if (service !== 'git-upload-pack') {
        return Buffer.from(`${pkt('# service=git-upload-pack\n')}0000${pkt('version 2\n')}${pkt('fetch=shallow\n')}0000`)
      }
      const request = Buffer.from(body!).toString('latin1')
      return request.includes('command=ls-refs') ? refs(repository, request) : (host.answer ?? pack(repository, request))
    },
  }
  return host
}

/** One packet of the protocol. */
export function pkt(text: string): string {
  return (Buffer.byteLength(text, 'latin1') + 4).toString(16).padStart(4, '0') + text
}

function refs({ refs: names }: Repository, request: string): Buffer {
  const prefixes = [...request.matchAll(/ref-prefix (.*)\n/g)].map(([, prefix]) => prefix!)
  const lines = Object.entries(names)
    .filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map(([name, value]) => {
      const [id = '', ...more] = value.split(' ')
      return pkt(`${[id, name, ...more].join(' ')}\n`)
    })
  return Buffer.from(`${lines.join('')}0000`)
}

function pack({ objects }: Repository, request: string): Buffer {
  const wanted = /want ([\da-f]{40})\n/.exec(request)?.[1]
  if (wanted === undefined || !request.includes('deepen 1\n') || !request.includes('done\n')) {
    return Buffer.from(pkt('ERR bad request\n'))
  }
  return packAnswer(makePack(objects))
}

/** A pack as the answer to a fetch, in packets of a few bytes, with a message between them. */
export function packAnswer(data: Uint8Array): Buffer {
  const parts = [pkt('shallow-info\n'), '0001', pkt('packfile\n'), pkt('\x02counting\n')]
  for (let at = 0; at < data.length; at += 1000) {
    parts.push(pkt(`\x01${Buffer.from(data.subarray(at, at + 1000)).toString('latin1')}`))
  }
  return Buffer.from(`${parts.join('')}0000`, 'latin1')
}
