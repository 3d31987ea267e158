import { describe, expect, it } from 'vitest'
import { context, LadingError } from '../../core/index.ts'
import {
  buildWithRemotes,
  type ChartRequest,
  type FetchedRemote,
  type FetchRemote,
  memoryTree,
  type RemoteRequest,
} from './index.ts'

const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const ref = 'https://git.example/org/repo//base?ref=v1'

/** Hosts in memory, by what is asked for. */
function hosts(contents: Readonly<Record<string, Readonly<Record<string, string>> | string>>) {
  const requests: RemoteRequest[] = []
  const fetchRemote: FetchRemote = async (request) => {
    requests.push(request)
    const address = request.type === 'chart' ? `${request.repo} ${request.name}` : request.url
    const content = contents[address]
    if (content === undefined) throw new LadingError('repo.unreachable', `nothing at ${address}`)
    return fetchedOf(request, content)
  }
  return { requests, fetchRemote }
}

const trees = new Map<unknown, FetchedRemote>()
function fetchedOf(request: RemoteRequest, content: Readonly<Record<string, string>> | string): FetchedRemote {
  if (typeof content === 'string') {
    const url = request.type === 'file' ? request.url : ''
    return {
      type: 'file',
      content: Buffer.from(content),
      record: { type: 'file', url, digest: `sha256:${content.length}` },
    }
  }
  if (request.type === 'chart') {
    const files = new Map(Object.entries(content).map(([path, text]) => [path, Buffer.from(text)]))
    const { repo: url, name, version } = request
    return { type: 'chart', files, record: { type: 'chart', url, name, version, digest: 'sha256:c' } }
  }
  const { url, ref: at } = request as Extract<RemoteRequest, { type: 'git' }>
  const known = trees.get(content)
  const found = known ?? {
    type: 'git',
    tree: memoryTree(content),
    record: { type: 'git', url, ref: at, commit: 'abc' },
  }
  trees.set(content, found)
  return found
}

const build = (files: Readonly<Record<string, string>>, fetchRemote: FetchRemote | undefined, options = {}) =>
  buildWithRemotes(memoryTree(files), '/', options, fetchRemote, context())
const names = ({ objects }: { objects: readonly { metadata: { name?: string } }[] }) =>
  objects.map(({ metadata }) => metadata.name)

describe('a kustomization that refers to other hosts', () => {
  it('is built from bases, components, files and patches of them, and says what they were', async () => {
    const { fetchRemote, requests } = hosts({
      'https://git.example/org/repo': {
        'base/kustomization.yaml': 'resources: [a.yaml, ../other]',
        'base/a.yaml': map('a'),
        'other/kustomization.yaml': 'resources: [o.yaml]',
        'other/o.yaml': map('o'),
        'part/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: part-',
      },
      'https://files.example/f.yaml': map('f'),
      'https://files.example/patch.yaml': `${map('part-f')}data: {patched: "yes"}\n`.replace('part-f', 'f'),
    })
    const kustomization = [
      `resources: ["${ref}", "https://files.example/f.yaml"]`,
      'components: ["https://git.example/org/repo//part?ref=v1"]',
      'patches: [{path: "https://files.example/patch.yaml"}]',
    ].join('\n')
    const built = await build({ 'kustomization.yaml': kustomization }, fetchRemote)
    expect(names(built)).toEqual(['part-a', 'part-f', 'part-o'])
    expect(built.objects[1]).toMatchObject({ data: { patched: 'yes' } })
    expect(built.remotes.map(({ type, url }) => `${type} ${url}`)).toEqual([
      'file https://files.example/f.yaml',
      'file https://files.example/patch.yaml',
      'git https://git.example/org/repo',
    ])
    // One repository at one ref is fetched once, however many of its folders are used.
    expect(requests).toHaveLength(3)
  })

  it('asks for all of a kustomization at once, and says who named what a remote base refers to', async () => {
    const { fetchRemote, requests } = hosts({
      'https://git.example/org/repo': { 'base/kustomization.yaml': 'resources: ["https://files.example/f.yaml"]' },
      'https://files.example/f.yaml': map('f'),
    })
    await build({ 'kustomization.yaml': `resources: ["${ref}"]` }, fetchRemote)
    expect(requests).toMatchObject([{ type: 'git' }, { type: 'file', namedBy: 'https://git.example/org/repo' }])
  })

  it('never reads out of the folder of a remote base, even where the build may', async () => {
    const { fetchRemote } = hosts({
      'https://git.example/org/repo': {
        'base/kustomization.yaml': 'configMapGenerator: [{name: c, files: [../secret.txt]}]',
        'secret.txt': 'x',
      },
    })
    const files = { 'kustomization.yaml': `resources: ["${ref}"]`, 'secret.txt': 'mine' }
    await expect(build(files, fetchRemote, { loadRestrictor: 'none' })).rejects.toMatchObject({
      code: 'kustomize.refused',
      message: expect.stringContaining('not in or below') as string,
    })
  })

  it('is refused where bases of two hosts lead to each other in a circle', async () => {
    const { fetchRemote } = hosts({
      'https://git.example/org/repo': { 'base/kustomization.yaml': 'resources: ["https://two.example/o/r//b?ref=v1"]' },
      'https://two.example/o/r': { 'b/kustomization.yaml': `resources: ["${ref}"]` },
    })
    await expect(build({ 'kustomization.yaml': `resources: ["${ref}"]` }, fetchRemote)).rejects.toThrow(
      /cycle detected/,
    )
  })

  it('has its charts fetched, and those that lie in the tree left alone', async () => {
    const { fetchRemote, requests } = hosts({
      'https://charts.example web': { 'Chart.yaml': 'name: web', 'values.yaml': 'colour: blue\n' },
    })
    const asked: ChartRequest[] = []
    const inflateChart = (chart: ChartRequest) => (asked.push(chart), map(chart.name))
    const repo = 'repo: "https://charts.example"'
    const kustomization = `helmCharts: [{name: web, version: 1.0.0, ${repo}}, {name: db, version: 2.0.0, ${repo}}]`
    const files = { 'kustomization.yaml': kustomization, 'charts/db-2.0.0/db/values.yaml': 'size: 1' }
    const engine = { module: '', name: '', open: () => ({ inflateChart, used: () => ({}) }) }
    const built = await build(files, fetchRemote, { engine })
    expect(names(built)).toEqual(['db', 'web'])
    expect(requests).toEqual([{ type: 'chart', repo: 'https://charts.example', name: 'web', version: '1.0.0' }])
    expect(asked.findLast(({ name }) => name === 'web')?.values).toEqual(['colour: blue\n'])
    expect(built.remotes).toMatchObject([{ type: 'chart', name: 'web', digest: 'sha256:c' }])
  })

  it('carries the repository and the ref in the annotations of where things come from', async () => {
    const { fetchRemote } = hosts({
      'https://git.example/org/repo': { 'base/kustomization.yaml': 'resources: [a.yaml]', 'base/a.yaml': map('a') },
    })
    const kustomization = `resources: ["${ref}"]\nbuildMetadata: [originAnnotations]`
    const { objects } = await build({ 'kustomization.yaml': kustomization }, fetchRemote)
    expect(objects[0]?.metadata.annotations).toEqual({
      'config.kubernetes.io/origin': 'path: base/a.yaml\nrepo: https://git.example/org/repo\nref: v1\n',
    })
  })

  it('fails with what fetching failed with, and with its own mistakes once everything was fetched', async () => {
    const { fetchRemote } = hosts({ 'https://files.example/f.yaml': 'no: object' })
    const one = build({ 'kustomization.yaml': 'resources: ["https://files.example/gone.yaml"]' }, fetchRemote)
    await expect(one).rejects.toMatchObject({ code: 'repo.unreachable' })
    const other = build({ 'kustomization.yaml': 'resources: ["https://files.example/f.yaml"]' }, fetchRemote)
    await expect(other).rejects.toThrow(/missing kind/)
  })

  it('is refused with the flag that would allow it where nothing may be fetched', async () => {
    await expect(build({ 'kustomization.yaml': `resources: ["${ref}"]` }, undefined)).rejects.toThrow(
      /--allow-remote git\.example/,
    )
  })
})
