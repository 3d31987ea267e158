import { beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { fetchRepository } from './fetch-repository.ts'
import { type GitObject, objectId } from './git-object.ts'
import { gitHost, type GitHost, packAnswer, pkt } from './testdata/git-host.ts'
import { makePack, makeRepository } from './testdata/make-pack.ts'

const url = 'https://git.example/org/repo'
let host: GitHost
let commit: string
let tag: GitObject

beforeEach(() => {
  host = gitHost()
  const made = makeRepository({ 'base/kustomization.yaml': 'resources: []' })
  commit = made.commit
  tag = { type: 'tag', data: Buffer.from(`object ${commit}\ntype commit\ntag v2\n`) }
  const refs = {
    HEAD: commit,
    'refs/heads/main': commit,
    'refs/heads/v1': '0'.repeat(40),
    'refs/tags/v1': commit,
    'refs/tags/v1.1': '0'.repeat(40),
    'refs/tags/v2': `${objectId(tag)} peeled:${commit}`,
  }
  host.repositories.set(url, { objects: [...made.objects, tag], refs })
})

const fetch = (ref: string, more: { submodules?: boolean; allowUnpinned?: boolean } = {}, isAllowed = true) =>
  fetchRepository(
    { type: 'git', url, ref, submodules: more.submodules ?? false },
    { fetch: host.fetch, isAllowed: () => isAllowed, allowUnpinned: more.allowUnpinned ?? false },
    context(),
  )

describe('a repository', () => {
  it.each([
    ['a tag, before a branch of the same name', () => 'v1'],
    ['a tag with an object of its own', () => 'v2'],
    ['a whole name', () => 'refs/tags/v1'],
    ['a commit', () => commit],
  ])('is fetched by %s', async (_what, ref) => {
    const found = await fetch(ref())
    expect(found.commit).toBe(commit)
    expect(String(found.tree.read('/base/kustomization.yaml'))).toBe('resources: []')
  })

  it('is refused where no ref is given, before anything is sent', async () => {
    await expect(fetch('')).rejects.toMatchObject({
      code: 'kustomize.refused',
      message: expect.stringMatching(/\?ref=.*--allow-unpinned/) as string,
    })
    expect(host.requests).toEqual([])
  })

  it('is refused by a branch, and fetched by it where that is allowed', async () => {
    await expect(fetch('main')).rejects.toMatchObject({ code: 'kustomize.refused' })
    expect((await fetch('main', { allowUnpinned: true })).commit).toBe(commit)
    expect((await fetch('', { allowUnpinned: true })).commit).toBe(commit)
  })

  it.each(['v1\nref-prefix x', 'a b', '-x', 'a..b', 'a^{}', 'x'.repeat(300)])(
    'is not asked for %j, which git would refuse too',
    async (ref) => {
      await expect(fetch(ref)).rejects.toMatchObject({ code: 'kustomize.refused' })
      expect(host.requests).toEqual([])
    },
  )

  it('that has no such tag says so', async () => {
    await expect(fetch('v9')).rejects.toMatchObject({ code: 'git.failed', message: `${url} has no tag v9` })
  })

  it('that gives another commit than the one that was asked for is refused', async () => {
    const other = makeRepository({ 'base/kustomization.yaml': 'resources: [evil.yaml]' })
    host.answer = packAnswer(makePack(other.objects))
    await expect(fetch(commit)).rejects.toMatchObject({ code: 'git.failed', message: /lacks the object/ })
    await expect(fetch('v2')).rejects.toMatchObject({ code: 'git.failed' })
  })

  it.each<[string, string, RegExp]>([
    ['an error', pkt('ERR not our ref\n'), /refuses: not our ref/],
    ['an error in a band', `${pkt('packfile\n')}${pkt('\x03no\x1b[2J memory')}0000`, /refuses: no \[2J memory/],
    ['no pack', '0000', /no pack/],
    ['a band that there is not', `${pkt('packfile\n')}${pkt('\x07x')}0000`, /bad band/],
    ['a packet without a length', 'zzzz', /no length/],
    ['a packet that is cut off', '00ffabc', /cut off/],
  ])('whose server answers with %s is refused', async (_what, answer, words) => {
    host.answer = Buffer.from(answer, 'latin1')
    await expect(fetch(commit)).rejects.toMatchObject({
      code: 'git.failed',
      message: expect.stringMatching(words) as string,
    })
  })

  it('of a server that does not speak version 2 is refused', async () => {
    const old = async () => Buffer.from(`${pkt('# service=git-upload-pack\n')}0000${pkt(`${commit} HEAD\n`)}0000`)
    const request = { type: 'git', url, ref: 'v1', submodules: false } as const
    const access = { fetch: old, isAllowed: () => true }
    await expect(fetchRepository(request, access, context())).rejects.toMatchObject({ message: /version 2/ })
  })

  it('that sends the first question elsewhere gets the others there too', async () => {
    const moved = 'https://git.example/org/renamed'
    host.repositories.set(moved, host.repositories.get(url)!)
    const inner = host.fetch
    const access = {
      isAllowed: () => true,
      fetch: (async (at, options) => {
        if (!at.startsWith(`${url}/`)) return inner(at, options)
        const to = at.replace(url, moved)
        options.onRedirect?.(to)
        return inner(to, options)
      }) as typeof inner,
    }
    await fetchRepository({ type: 'git', url, ref: 'v1', submodules: false }, access, context())
    expect(host.requests.every((request) => request.includes('/renamed/'))).toBe(true)
  })

  it('that a remote base refers to is fetched as named by that base, in every request', async () => {
    const named: (string | undefined)[] = []
    const inner = host.fetch
    const access = {
      isAllowed: () => true,
      fetch: ((at, options) => (named.push(options.namedBy), inner(at, options))) as typeof inner,
    }
    const namedBy = 'https://base.example/o/r'
    await fetchRepository({ type: 'git', url, ref: 'v1', submodules: false, namedBy }, access, context())
    expect(named).toEqual([namedBy, namedBy, namedBy])
  })

  it('brings its submodules at their pinned commits, and leaves out those of hosts that are not allowed', async () => {
    const module = makeRepository({ 'x.yaml': 'inside' })
    host.repositories.set('https://git.example/org/module', { objects: module.objects, refs: {} })
    const made = makeRepository({
      '.gitmodules':
        '[submodule "m"]\n\tpath = lib/m\n\turl = ../module\n[submodule "s"]\n\tpath = s\n\turl = git@x.example:a/b\n',
      'lib/m': `@ ${module.commit}`,
      s: `@ ${module.commit}`,
    })
    host.repositories.set(url, { objects: made.objects, refs: {} })
    const { tree } = await fetch(made.commit, { submodules: true })
    expect(String(tree.read('/lib/m/x.yaml'))).toBe('inside')
    expect(() => tree.resolve('/s/x.yaml')).toThrow(/not an https/)
    host.requests.length = 0
    const without = await fetch(made.commit, { submodules: true }, false)
    expect(host.requests.some((request) => request.includes('module'))).toBe(false)
    expect(() => without.tree.resolve('/lib/m/x.yaml')).toThrow(/--allow-remote git\.example/)
    expect(() => without.tree.resolve('/lib')).not.toThrow()
  })
})
