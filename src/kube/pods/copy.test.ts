import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { readTar, writeTar } from '../../core/tar/index.ts'
import { type ExecScript, type Sandbox, startSandbox } from '../../sandbox/index.ts'
import { applyObject, type Connected, connect, copyFromPod, copyToPod } from '../index.ts'

const ctx = context()
const web = { namespace: 'default', name: 'web' }
let sandbox: Sandbox
let cluster: Connected
let folder: string
let remove = (): void => {}

beforeAll(async () => {
  sandbox = await startSandbox()
  cluster = await connect({ kubeconfig: sandbox.kubeconfig }, ctx)
  const spec = { containers: [{ name: 'main', image: 'web' }] }
  await applyObject(cluster, { apiVersion: 'v1', kind: 'Pod', metadata: web, spec }, {}, ctx)
  await sandbox.idle()
})
afterAll(async () => {
  await cluster?.close()
  await sandbox?.stop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lading-copy-'))
})
afterEach(async () => {
  remove()
  await rm(folder, { recursive: true, force: true })
})

describe('copying to a pod', () => {
  it('sends a folder with its modes and without its links', async () => {
    const source = join(folder, 'app')
    await mkdir(join(source, 'empty'), { recursive: true })
    await writeFile(join(source, 'run.sh'), 'echo\n')
    await chmod(join(source, 'run.sh'), 0o750)
    await symlink('/etc/passwd', join(source, 'link'))
    const sent: unknown[] = []
    script(async ({ command, stdin }) => {
      sent.push(command.join(' '))
      const archive = Buffer.concat(await Array.fromAsync(stdin))
      for (const { name, type, mode } of readTar(archive, { strict: true })) sent.push([name, type, mode.toString(8)])
      return {}
    })
    const result = await copyToPod(cluster, web, source, '/srv/-site', {}, ctx)
    expect(result).toEqual({ files: ['/srv/-site/run.sh'], skipped: [join(source, 'link')] })
    expect(sent[0]).toBe('tar -x -m -o -p -f - -C /srv')
    expect(sent.slice(1).map((one) => (one as string[]).slice(0, 2))).toEqual([
      ['-site/', 'folder'],
      ['-site/empty/', 'folder'],
      ['-site/run.sh', 'file'],
    ])
    expect(sent[3]).toEqual(['-site/run.sh', 'file', '750'])
  })

  it('stops at the limit', async () => {
    await writeFile(join(folder, 'large'), Buffer.alloc(2000))
    script(async ({ stdin }) => {
      await Array.fromAsync(stdin)
      return {}
    })
    const copying = copyToPod(cluster, web, join(folder, 'large'), '/large', { maxBytes: 1999 }, ctx)
    await expect(copying).rejects.toMatchObject({ code: 'input.too-large' })
  })

  it.for([
    ['has no tar', { exitCode: 127 }, 'copying needs it in the container'],
    ['may not write', { exitCode: 2, stderr: 'tar: app: Permission denied\n' }, 'Permission denied'],
  ] as const)('says that the container %s', async ([, answer, message]) => {
    await writeFile(join(folder, 'app'), 'x')
    script(() => answer)
    const copying = copyToPod(cluster, web, join(folder, 'app'), '/app', {}, ctx)
    await expect(copying).rejects.toMatchObject({ code: 'kube.copy-failed', message: expect.stringContaining(message) })
  })
})

describe('copying from a pod', () => {
  it('writes a folder with its modes', async () => {
    sends([
      ['./logs/', { content: new Uint8Array(), mode: 0o750 }],
      ['./logs/a/b.log', { content: Buffer.from('line\n'), mode: 0o640 }],
    ])
    const result = await copyFromPod(cluster, web, '/var/logs', join(folder, 'out'), {}, ctx)
    expect(result).toEqual({ files: [join(folder, 'out', 'a', 'b.log')], skipped: [] })
    expect(await readFile(join(folder, 'out', 'a', 'b.log'), 'utf8')).toBe('line\n')
    expect((await stat(join(folder, 'out', 'a', 'b.log'))).mode & 0o777).toBe(0o640)
    expect((await stat(join(folder, 'out'))).mode & 0o777).toBe(0o750)
  })

  it('writes a file under the name that was given', async () => {
    sends([['./app.conf', { content: Buffer.from('a') }]])
    await copyFromPod(cluster, web, '/etc/app.conf', join(folder, 'mine.conf'), {}, ctx)
    expect(await readFile(join(folder, 'mine.conf'), 'utf8')).toBe('a')
  })

  it.for(['../evil', './logs/../../evil', '/evil', 'other', './logs/../evil'])(
    'refuses %s before anything is written',
    async (name) => {
      sends([
        ['./logs/good', { content: Buffer.from('a') }],
        [name, { content: Buffer.from('evil') }],
      ])
      const copying = copyFromPod(cluster, web, '/var/logs', join(folder, 'out'), {}, ctx)
      await expect(copying).rejects.toMatchObject({ code: 'archive.refused' })
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('makes no links, neither symlinks nor hard links', async () => {
    for (const type of ['1', '2']) {
      const archive = Buffer.from(writeTar([['./logs/link', { content: new Uint8Array() }]]))
      archive.write(type, 156)
      archive.write('/etc', 157)
      archive.fill(0x20, 148, 156)
      const sum = archive.subarray(0, 512).reduce((all, byte) => all + byte, 0)
      archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
      script(() => ({ stdout: archive }))
      const result = await copyFromPod(cluster, web, '/var/logs', join(folder, 'out'), {}, ctx)
      expect(result).toEqual({ files: [], skipped: ['./logs/link'] })
      remove()
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('writes through no symlink that is already there', async () => {
    await mkdir(join(folder, 'out'))
    await mkdir(join(folder, 'elsewhere'))
    await symlink(join(folder, 'elsewhere'), join(folder, 'out', 'sub'))
    await symlink(join(folder, 'elsewhere', 'file'), join(folder, 'out', 'file'))
    for (const name of ['./logs/sub/evil', './logs/file']) {
      sends([[name, { content: Buffer.from('evil') }]])
      const copying = copyFromPod(cluster, web, '/var/logs', join(folder, 'out'), {}, ctx)
      await expect(copying).rejects.toMatchObject({ code: 'archive.refused' })
      remove()
    }
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
  })

  it('stops at the limit', async () => {
    sends([['./logs', { content: Buffer.alloc(100_000) }]])
    const copying = copyFromPod(cluster, web, '/var/logs', join(folder, 'out'), { maxBytes: 50_000 }, ctx)
    await expect(copying).rejects.toMatchObject({ code: 'input.too-large' })
  })

  it.for(['/', '..', ''])('refuses the path %j', async (path) => {
    await expect(copyFromPod(cluster, web, path, folder, {}, ctx)).rejects.toMatchObject({ code: 'usage.invalid' })
  })
})

function script(answer: ExecScript): void {
  remove = sandbox.onExec(answer)
}

function sends(files: Parameters<typeof writeTar>[0]): void {
  const archive = writeTar(files)
  script(() => ({ stdout: archive }))
}
