import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { loadKubeconfig } from './load-kubeconfig.ts'
import { type ConnectionOptions, resolveConnection } from './resolve-connection.ts'
import { testdata } from './testdata/test-server.ts'
import { document, kubeconfig, write } from './testdata/write-kubeconfig.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lading-connect-'))
})
afterEach(() => rm(dir, { recursive: true }))

describe('which kubeconfig is read', () => {
  it('the given one, which must exist', async () => {
    const file = await kubeconfig(dir, 'given', { server: 'https://given' })
    await kubeconfig(dir, 'other', { server: 'https://other' })
    expect(await serverOf({ kubeconfig: file, env: { KUBECONFIG: join(dir, 'other') } })).toBe('https://given')
    await expect(serverOf({ kubeconfig: join(dir, 'none'), env: {} })).rejects.toMatchObject({
      code: 'kubeconfig.not-found',
      details: { file: join(dir, 'none') },
    })
  })

  it('the files of KUBECONFIG, merged: the first to name an entry wins, missing files are skipped', async () => {
    await write(dir, 'a', { clusters: [cluster('c', 'https://a')], contexts: [ctxOf('one', 'c', 'u', 'ns-a')] })
    await write(dir, 'b', {
      'current-context': 'one',
      clusters: [cluster('c', 'https://b'), cluster('d', 'https://d')],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [ctxOf('one', 'd', 'u', 'ns-b'), ctxOf('two', 'd', 'u')],
    })
    const env = { KUBECONFIG: ['', join(dir, 'a'), join(dir, 'missing'), join(dir, 'b')].join(delimiter) }
    expect(await resolveConnection({ env })).toMatchObject({ namespace: 'ns-a', connection: { server: 'https://a' } })
    expect(await resolveConnection({ env, context: 'two' })).toMatchObject({
      namespace: 'default',
      connection: { server: 'https://d' },
    })
  })

  it('~/.kube/config where KUBECONFIG is not set', async () => {
    await mkdir(join(dir, '.kube'))
    await kubeconfig(dir, '.kube/config', { server: 'https://home' })
    expect(await serverOf({ env: { HOME: dir } })).toBe('https://home')
    expect(await serverOf({ env: { HOME: dir, KUBECONFIG: '' } })).toBe('https://home')
  })

  it('none, which is said so', async () => {
    expect(await loadKubeconfig({ env: { HOME: dir } })).toBeUndefined()
    await expect(serverOf({ env: { HOME: dir } })).rejects.toMatchObject({ code: 'kubeconfig.not-found' })
  })

  it('JSON or YAML', async () => {
    await writeFile(join(dir, 'json'), JSON.stringify(document({ server: 'https://json' })))
    expect(await serverOf({ kubeconfig: join(dir, 'json') })).toBe('https://json')
  })
})

describe('files that a kubeconfig names', () => {
  it('are found from its own directory', async () => {
    await mkdir(join(dir, 'pki'))
    await writeFile(join(dir, 'pki/ca.crt'), testdata('test-ca.crt'))
    await writeFile(join(dir, 'pki/token'), 'from-file\n')
    const file = await kubeconfig(
      dir,
      'k',
      { 'certificate-authority': 'pki/ca.crt' },
      { tokenFile: './pki/token', token: 'inline' },
    )
    const { connection } = await resolveConnection({ kubeconfig: file, env: {} })
    expect(connection.tls.ca).toBe(testdata('test-ca.crt'))
    expect(await connection.credentials(context())).toMatchObject({ headers: { authorization: 'Bearer from-file' } })
  })

  it('that are missing are named', async () => {
    const file = await kubeconfig(dir, 'k', { 'certificate-authority': 'gone.crt' })
    await expect(serverOf({ kubeconfig: file })).rejects.toMatchObject({
      code: 'file.not-found',
      details: { file: join(dir, 'gone.crt') },
    })
  })
})

describe('a kubeconfig from somebody else', () => {
  it('may use tokens and data', async () => {
    const text = JSON.stringify(document({}, { token: 'tok' }))
    const { connection } = await resolveConnection({ kubeconfigText: text, env: {} })
    expect(await connection.credentials(context())).toEqual({ headers: { authorization: 'Bearer tok' } })
  })

  it('may not run a program', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'touch',
      args: [join(dir, 'ran')],
      interactiveMode: 'Never',
    }
    const text = JSON.stringify(document({}, { exec }))
    await expect(serverOf({ kubeconfigText: text })).rejects.toMatchObject({
      code: 'kubeconfig.exec-refused',
      details: { field: 'users[0].user.exec' },
    })
  })

  it.each([
    [{ 'certificate-authority': '/etc/passwd' }, {}],
    [{}, { tokenFile: '/etc/passwd' }],
    [{}, { 'client-certificate': '/etc/passwd', 'client-key': '/etc/passwd' }],
  ])('may not name files: %j %j', async (clusterFields, user) => {
    const attempt = serverOf({ kubeconfigText: JSON.stringify(document(clusterFields, user)) })
    await expect(attempt).rejects.toMatchObject({ code: 'kubeconfig.invalid' })
  })
})

describe('a broken kubeconfig is refused with file and field', () => {
  const pem = Buffer.from(testdata('test-ca.crt')).toString('base64')
  it.each([
    [{ clusters: 5 }, 'clusters'],
    [{ clusters: [5] }, 'clusters[0]'],
    [{ clusters: [{ cluster: {} }] }, 'clusters[0].name'],
    [{ clusters: [cluster('c', 'https://a'), cluster('c', 'https://b')] }, 'clusters[1].name'],
    [{ kind: 'Secret' }, 'kind'],
    [document({ server: '' }), 'clusters[0].cluster.server'],
    [document({ server: 6 }), 'clusters[0].cluster.server'],
    [document({ 'insecure-skip-tls-verify': 'yes' }), 'clusters[0].cluster.insecure-skip-tls-verify'],
    [
      document({ 'insecure-skip-tls-verify': true, 'certificate-authority-data': pem }),
      'clusters[0].cluster.insecure-skip-tls-verify',
    ],
    [
      document({ 'certificate-authority-data': pem, 'certificate-authority': 'x' }),
      'clusters[0].cluster.certificate-authority',
    ],
    [document({ 'certificate-authority-data': 'bm9wZQ==' }), 'clusters[0].cluster.certificate-authority-data'],
    [document({ 'proxy-url': 'socks5://proxy' }), 'clusters[0].cluster.proxy-url'],
    [document({ 'proxy-url': 'no url' }), 'clusters[0].cluster.proxy-url'],
    [document({}, { token: 5 }), 'users[0].user.token'],
    [document({}, { token: 'a\nb' }), 'users[0].user.token'],
    [document({}, { token: 'a', username: 'b' }), 'users[0].user.token'],
    [document({}, { 'client-certificate-data': pem }), 'users[0].user.client-key'],
    [document({}, { 'client-key-data': pem }), 'users[0].user.client-certificate'],
    [document({}, { 'auth-provider': { name: 'gcp' } }), 'users[0].user.auth-provider'],
    [document({}, { 'as-groups': ['a'] }), 'users[0].user.as'],
    [document({}, { as: 'a', 'as-groups': 'b' }), 'users[0].user.as-groups'],
    [document({}, { exec: { apiVersion: 'client.authentication.k8s.io/v1alpha1' } }), 'users[0].user.exec.apiVersion'],
    [document({}, { exec: { apiVersion: 'client.authentication.k8s.io/v1' } }), 'users[0].user.exec.command'],
    [
      document({}, { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x' } }),
      'users[0].user.exec.interactiveMode',
    ],
    [
      document({}, { token: 't', exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'x' } }),
      'users[0].user.exec',
    ],
    [{ ...document({}), contexts: [ctxOf('x', 'nope', 'u')] }, 'contexts[0].context.cluster'],
    [{ ...document({}), contexts: [ctxOf('x', 'c', 'nope')] }, 'contexts[0].context.user'],
    [{ ...document({}), contexts: [{ name: 'x' }] }, 'contexts[0].context.cluster'],
  ])('%j: %s', async (value, field) => {
    const file = await write(dir, 'broken', value)
    const attempt = serverOf({ kubeconfig: file, env: {} })
    await expect(attempt).rejects.toMatchObject({ code: 'kubeconfig.invalid', details: { file, field } })
    await expect(attempt).rejects.toThrow(file)
  })

  it('no YAML', async () => {
    await writeFile(join(dir, 'k'), 'token: hunter2\n  x: [')
    const error = await serverOf({ kubeconfig: join(dir, 'k') }).catch((e: unknown) => e as Error)
    expect(error).toMatchObject({ code: 'kubeconfig.invalid', details: { file: join(dir, 'k') } })
    expect((error as Error).message).not.toContain('hunter2')
  })

  it('a directory', async () => {
    await expect(serverOf({ kubeconfig: dir })).rejects.toMatchObject({ code: 'file.unreadable' })
  })

  it('no or an unknown context, naming those that are there', async () => {
    const { 'current-context': _, ...rest } = document({})
    const file = await write(dir, 'k', rest)
    await expect(serverOf({ kubeconfig: file })).rejects.toMatchObject({ details: { contexts: ['x'] } })
    await expect(serverOf({ kubeconfig: file, context: 'y' })).rejects.toThrow('there is no context y')
  })
})

function cluster(name: string, server: string) {
  return { name, cluster: { server } }
}

function ctxOf(name: string, clusterName: string, user: string, namespace?: string) {
  return { name, context: { cluster: clusterName, user, ...(namespace !== undefined && { namespace }) } }
}

async function serverOf(options: ConnectionOptions): Promise<string> {
  return (await resolveConnection(options)).connection.server
}
