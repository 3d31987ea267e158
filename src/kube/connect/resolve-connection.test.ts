import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { type ConnectionOptions, resolveConnection } from './resolve-connection.ts'
import { testdata } from './testdata/test-server.ts'
import { kubeconfig } from './testdata/write-kubeconfig.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lading-connect-'))
})
afterEach(() => rm(dir, { recursive: true }))

describe('an explicit server', () => {
  it('reads no kubeconfig and takes token and authority from the options', async () => {
    const file = await kubeconfig(dir, 'k', { server: 'https://kubeconfig' })
    const options = {
      server: 'https://kube:6443/base/',
      token: 'tok',
      ca: testdata('test-ca.crt'),
      env: { KUBECONFIG: file },
    }
    const { connection, namespace } = await resolveConnection({ ...options, namespace: 'mine' })
    expect(connection).toMatchObject({ server: 'https://kube:6443/base', tls: { ca: testdata('test-ca.crt') } })
    expect(namespace).toBe('mine')
    expect(await connection.credentials(context())).toEqual({ headers: { authorization: 'Bearer tok' } })
  })

  it('is refused beside a kubeconfig, whose credentials must not go elsewhere', async () => {
    const attempt = serverOf({ server: 'https://kube', kubeconfig: join(dir, 'k') })
    await expect(attempt).rejects.toMatchObject({ code: 'usage.invalid' })
  })

  it.each([
    'file:///etc/passwd',
    'ftp://kube',
    'gopher://kube:70',
    'unix:///run/x',
    'https://',
    'https://u:p@kube',
    'https://kube?x=1',
  ])('refuses %s', async (server) => {
    await expect(serverOf({ server, env: {} })).rejects.toMatchObject({ code: 'usage.invalid' })
    const file = await kubeconfig(dir, 'odd', { server })
    await expect(serverOf({ kubeconfig: file })).rejects.toMatchObject({
      code: 'kubeconfig.invalid',
      details: { file, field: 'clusters[0].cluster.server' },
    })
  })

  it('without scheme is https', async () => {
    expect(await serverOf({ server: 'kube:6443', env: {} })).toBe('https://kube:6443')
  })
})

describe('who asks', () => {
  it.each([
    [{}, {}],
    [{ token: 'tok' }, { authorization: 'Bearer tok' }],
    [{ username: 'me', password: 'pw:ü' }, { authorization: `Basic ${Buffer.from('me:pw:ü').toString('base64')}` }],
    [
      {
        token: 't',
        as: 'jané',
        'as-uid': '7',
        'as-groups': ['a', 'b'],
        'as-user-extra': { 'example.com/Scope %': ['x', 'y'] },
      },
      {
        authorization: 'Bearer t',
        'impersonate-user': 'jan\u00c3\u00a9',
        'impersonate-uid': '7',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-example.com%2Fscope%20%25': ['x', 'y'],
      },
    ],
  ])('%j is told by headers', async (user, headers) => {
    const { connection } = await resolveConnection({ kubeconfig: await kubeconfig(dir, 'k', {}, user), env: {} })
    expect(await connection.credentials(context())).toEqual({ headers })
  })

  it('the options’ impersonation replaces the kubeconfig’s whole', async () => {
    const kube = await kubeconfig(dir, 'k', {}, { as: 'a', 'as-groups': ['g'], 'as-uid': '1' })
    const { connection } = await resolveConnection({ kubeconfig: kube, as: 'b', asGroups: ['h'], env: {} })
    expect(await connection.credentials(context())).toEqual({
      headers: { 'impersonate-user': 'b', 'impersonate-group': ['h'] },
    })
  })

  it('groups without a user, and line breaks in names, are refused', async () => {
    const options = { server: 'https://kube', env: {} }
    await expect(serverOf({ ...options, asGroups: ['g'] })).rejects.toMatchObject({ code: 'usage.invalid' })
    await expect(serverOf({ ...options, as: 'a\r\nImpersonate-Group: system:masters' })).rejects.toMatchObject({
      code: 'usage.invalid',
    })
    const { connection } = await resolveConnection({ ...options, as: '', token: '' })
    expect(await connection.credentials(context())).toEqual({ headers: {} })
  })

  it('a token of the options replaces the kubeconfig’s user', async () => {
    const kube = await kubeconfig(dir, 'k', {}, { username: 'u', password: 'p' })
    const { connection } = await resolveConnection({ kubeconfig: kube, token: 'tok', env: {} })
    expect(await connection.credentials(context())).toEqual({ headers: { authorization: 'Bearer tok' } })
  })

  it('identities differ where users, tokens or impersonation differ, and show no credential', async () => {
    const kube = await kubeconfig(dir, 'k', {}, { token: 'hunter2' })
    const identity = async (options: ConnectionOptions) =>
      (await resolveConnection({ env: {}, ...options })).connection.identity
    const all = [
      await identity({ kubeconfig: kube }),
      await identity({ kubeconfig: kube, as: 'a' }),
      await identity({ kubeconfig: kube, as: 'b' }),
      await identity({ server: 'https://k', token: 'hunter2' }),
      await identity({ server: 'https://k', token: 'hunter3' }),
      await identity({ server: 'https://k' }),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(all.join()).not.toContain('hunter')
  })
})

describe('settings of a cluster', () => {
  it('tls-server-name, proxy-url and insecure are passed on', async () => {
    const file = await kubeconfig(dir, 'k', {
      'tls-server-name': 'kube.test',
      'proxy-url': 'http://proxy:3128',
      'insecure-skip-tls-verify': true,
    })
    const { connection } = await resolveConnection({ kubeconfig: file, env: {} })
    expect(connection).toMatchObject({
      proxyUrl: 'http://proxy:3128',
      tls: { serverName: 'kube.test', insecure: true },
    })
  })

  it('proxy-url wins over the environment', async () => {
    const env = { HTTPS_PROXY: 'http://env' }
    const withUrl = await kubeconfig(dir, 'k', { 'proxy-url': 'http://own' })
    expect((await resolveConnection({ kubeconfig: withUrl, env })).connection.proxyUrl).toBe('http://own')
    const without = await kubeconfig(dir, 'l', {})
    expect((await resolveConnection({ kubeconfig: without, env })).connection.proxyUrl).toBe('http://env')
  })

  it('options for trust replace the kubeconfig’s', async () => {
    const ca = testdata('test-ca.crt')
    const file = await kubeconfig(dir, 'k', {
      'tls-server-name': 'n',
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    })
    const tls = async (options: ConnectionOptions) =>
      (await resolveConnection({ kubeconfig: file, env: {}, ...options })).connection.tls
    expect(await tls({})).toEqual({ ca, serverName: 'n' })
    expect(await tls({ insecure: true })).toEqual({ insecure: true, serverName: 'n' })
    expect(await tls({ ca: 'other' })).toEqual({ ca: 'other', serverName: 'n' })
  })
})

async function serverOf(options: ConnectionOptions): Promise<string> {
  return (await resolveConnection(options)).connection.server
}
