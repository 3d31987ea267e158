import { describe, expect, it } from 'vitest'
import { context, LadingError, manualClock } from '../../../core/index.ts'
import { type ChartRegistry, type Fetch, loadChart, packageChart } from '../../../render/helm/index.ts'
import type { RemoteRequest } from '../../../render/kustomize/index.ts'
import { gitHost } from '../git/testdata/git-host.ts'
import { makeRepository } from '../git/testdata/make-pack.ts'
import { remoteFetcher, type RemoteOptions } from './fetch-remote.ts'

const home = { repositories: '/nowhere', cache: '/nowhere', keyring: '/nowhere' } as never
const file = (url: string): RemoteRequest => ({ type: 'file', url })
const git = (url: string, ref = 'v1'): RemoteRequest => ({ type: 'git', url, ref, submodules: true })

/** A network in memory that notes every address that something is sent to. */
function network(
  files: Readonly<Record<string, string | Uint8Array>>,
  redirects: Readonly<Record<string, string>> = {},
) {
  const sent: string[] = []
  const fetch: Fetch = async (url, { onRedirect }) => {
    sent.push(url)
    const to = redirects[url]
    if (to !== undefined) {
      onRedirect?.(to)
      sent.push(to)
    }
    const found = files[to ?? url]
    if (found === undefined) throw new LadingError('chart.not-found', `there is nothing at ${url}`, { status: 404 })
    return Buffer.from(found)
  }
  return { sent, fetch }
}

const ask = (request: RemoteRequest, options: RemoteOptions, fetch: Fetch, more: object = {}) =>
  remoteFetcher(options, { home, fetch, ...more })(request, context())

describe('a host that is not allowed', () => {
  it.each<[string, RemoteRequest, string]>([
    ['a file', file('https://evil.example/a.yaml'), 'evil.example'],
    ['a repository', git('https://evil.example/o/r'), 'evil.example'],
    [
      'a chart repository',
      { type: 'chart', repo: 'https://evil.example', name: 'a', version: '1.0.0' },
      'evil.example',
    ],
    ['a registry', { type: 'chart', repo: 'oci://evil.example/charts', name: 'a', version: '1.0.0' }, 'evil.example'],
    ['another port', file('https://files.example:8443/a.yaml'), 'files.example:8443'],
    ['a name that only begins like it', file('https://files.example.evil.example/a'), 'files.example.evil.example'],
    ['the metadata of a cloud', file('http://169.254.169.254/latest/meta-data'), '169.254.169.254'],
    ['a number for an address', file('http://2130706433/'), '127.0.0.1'],
  ])('is sent nothing for %s, and the flag is named', async (_what, request, host) => {
    const { sent, fetch } = network({})
    const registry: ChartRegistry = {
      tags: async (reference) => (sent.push(reference), []),
      pull: async (reference) => (sent.push(reference), Promise.reject(new Error('sent'))),
    }
    await expect(ask(request, { hosts: ['files.example'] }, fetch, { registry })).rejects.toMatchObject({
      code: 'kustomize.refused',
      message: expect.stringContaining(`--allow-remote ${host} `) as string,
    })
    expect(sent).toEqual([])
  })

  it('is not reached by a redirect, nor by the index of a chart repository', async () => {
    const { sent, fetch } = network(
      {
        'https://files.example/index.yaml':
          'apiVersion: v1\nentries: {web: [{name: web, version: 1.0.0, urls: ["https://evil.example/web-1.0.0.tgz"]}]}\n',
      },
      { 'https://files.example/a.yaml': 'https://evil.example/a.yaml' },
    )
    const hosts = ['files.example']
    const refused = { code: 'kustomize.refused', details: { host: 'evil.example' } }
    await expect(ask(file('https://files.example/a.yaml'), { hosts }, fetch)).rejects.toMatchObject(refused)
    const chart = { type: 'chart', repo: 'https://files.example', name: 'web', version: '1.0.0' } as const
    await expect(ask(chart, { hosts }, fetch)).rejects.toMatchObject(refused)
    expect(sent).toEqual(['https://files.example/a.yaml', 'https://files.example/index.yaml'])
  })

  it.each(['https://x.example', 'x.example/path', 'me@x.example', '', 'a b'])(
    '%j is no host that can be allowed',
    async (host) => {
      await expect(async () => ask(file('https://x.example/a'), { hosts: [host] }, network({}).fetch)).rejects.toThrow(
        expect.objectContaining({ code: 'usage.invalid' }),
      )
    },
  )
})

describe('a host that is allowed', () => {
  it('gives files, recorded by their digest and without the query of their address', async () => {
    const { fetch } = network({ 'https://files.example/a.yaml?token=hush': 'a: 1' })
    const found = await ask(file('https://files.example/a.yaml?token=hush'), { hosts: ['FILES.example'] }, fetch)
    expect(found).toMatchObject({
      type: 'file',
      record: {
        url: 'https://files.example/a.yaml',
        digest: 'sha256:16c3c6d78678d53d39ab2c7a5a7bc4596567b46a1a57000a2d707334f779b824',
      },
    })
    await expect(ask(file('https://files.example/b'), { hosts: ['files.example'] }, fetch)).rejects.toMatchObject({
      code: 'file.not-found',
    })
  })

  it('gives repositories, recorded by their commit', async () => {
    const host = gitHost()
    const { objects, commit } = makeRepository({ 'a.yaml': 'a: 1' })
    host.repositories.set('https://git.example/o/r', { objects, refs: { 'refs/tags/v1': commit } })
    const found = await ask(git('https://git.example/o/r'), { hosts: ['git.example'] }, host.fetch)
    expect(found.record).toEqual({ type: 'git', url: 'https://git.example/o/r', ref: 'v1', commit })
  })

  it('gives charts of repositories and registries, by exact versions unless others are allowed', async () => {
    const { archive, fileName } = packageChart(
      loadChart(new Map([['Chart.yaml', Buffer.from('apiVersion: v2\nname: web\nversion: 1.0.0\n')]])),
    )
    const { fetch } = network({
      'https://charts.example/index.yaml': `apiVersion: v1\nentries: {web: [{name: web, version: 1.0.0, urls: [${fileName}]}]}\n`,
      [`https://charts.example/${fileName}`]: archive,
    })
    const registry: ChartRegistry = { tags: async () => ['1.0.0'], pull: async () => ({ archive }) }
    const hosts = ['charts.example']
    const chart = { type: 'chart', repo: 'https://charts.example', name: 'web', version: '1.0.0' } as const
    const found = await ask(chart, { hosts }, fetch)
    expect(found).toMatchObject({ type: 'chart', record: { name: 'web', version: '1.0.0' } })
    expect(found.type === 'chart' && [...found.files.keys()]).toEqual(['Chart.yaml'])
    const pulled = await ask({ ...chart, repo: 'oci://charts.example/stable' }, { hosts }, fetch, { registry })
    expect(pulled.record).toMatchObject({ url: 'oci://charts.example/stable', version: '1.0.0' })
    for (const version of ['', '^1.0.0', '1', '1.x']) {
      await expect(ask({ ...chart, version }, { hosts }, fetch)).rejects.toThrow(/--allow-unpinned/)
    }
    const newest = await ask({ ...chart, version: '^1.0.0' }, { hosts, allowUnpinned: true }, fetch)
    expect(newest.record).toMatchObject({ version: '1.0.0' })
  })

  it('has to give what an earlier build recorded', async () => {
    const url = 'https://files.example/a.yaml'
    const hosts = ['files.example']
    const before = await ask(file(url), { hosts }, network({ [url]: 'a: 1' }).fetch)
    const expected = [before.record]
    expect((await ask(file(url), { hosts, expected }, network({ [url]: 'a: 1' }).fetch)).record).toEqual(before.record)
    const changed = ask(file(url), { hosts, expected }, network({ [url]: 'a: 2' }).fetch)
    await expect(changed).rejects.toMatchObject({ code: 'kustomize.refused', message: /earlier build/ })
  })

  it('has as long as the timeout of the address says', async () => {
    const clock = manualClock()
    const fetch: Fetch = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new LadingError('cancelled', 'was cancelled')))
        void clock.advance(30_000)
      })
    const request = { ...git('https://git.example/o/r'), timeoutMs: 30_000 } as RemoteRequest
    const failure = remoteFetcher({ hosts: ['git.example'] }, { home, fetch })(request, context({ clock }))
    await expect(failure).rejects.toMatchObject({ code: 'repo.unreachable', message: /within 30 seconds/ })
    expect(clock.sleeping).toBe(0)
  })

  it('of the internet does not lead into a private network by a chart', async () => {
    const { sent, fetch } = network({})
    const registry: ChartRegistry = {
      tags: async () => [],
      pull: async (reference) => (sent.push(reference), Promise.reject(new Error('sent'))),
    }
    const chart = { type: 'chart', repo: 'oci://registry.internal/c', name: 'a', version: '1.0.0' } as const
    const request = { ...chart, namedBy: 'https://git.example/o/r' }
    const isPrivate = async (host: string) => host.endsWith('.internal')
    const failure = ask(request, { hosts: ['registry.internal'] }, fetch, { registry, isPrivate })
    await expect(failure).rejects.toMatchObject({ code: 'repo.unsafe' })
    expect(sent).toEqual([])
  })
})
