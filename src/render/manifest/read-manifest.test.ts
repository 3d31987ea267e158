import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, type KubeObject } from '../../core/index.ts'
import { type ManifestOptions, type ManifestSource, readManifest } from './index.ts'

const object = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`

describe('a manifest', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-manifest-'))
  })
  afterEach(async () => rm(root, { recursive: true, force: true }))

  async function write(path: string, content: string | Buffer): Promise<string> {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    return file
  }

  async function names(source: ManifestSource, options: ManifestOptions = {}): Promise<string[]> {
    const objects: KubeObject[] = await readManifest(source, options, context())
    return objects.map(({ metadata }) => metadata.name)
  }

  it('is a file, whatever its name', async () => {
    expect(await names(await write('manifest.txt', `${object('a')}---\n${object('b')}`))).toEqual(['a', 'b'])
  })

  it('is a folder: YAML and JSON by name, nothing else, deeper only when asked', async () => {
    await write('b.yml', object('b'))
    await write('a.yaml', object('a'))
    await write('c.json', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}')
    await write('README.md', 'hello')
    await write('.hidden.yaml', object('hidden'))
    await write('b/x.yaml', object('x'))
    await write('.git/y.yaml', object('y'))
    expect(await names(root)).toEqual(['a', 'b', 'c'])
    expect(await names(root, { recursive: true })).toEqual(['a', 'x', 'b', 'c'])
  })

  it('is standard input, text at hand, or several sources in order', async () => {
    const file = await write('a.yaml', object('a'))
    const stdin = Readable.from([Buffer.from(object('s').slice(0, 10)), Buffer.from(object('s').slice(10))])
    expect(await names(['-', file, { text: object('t') }], { stdin })).toEqual(['s', 'a', 't'])
    await expect(names('-')).rejects.toMatchObject({ code: 'usage.invalid' })
  })

  it('may be UTF-16 with a byte order mark, but not bytes that are no text', async () => {
    expect(await names(await write('a.yaml', Buffer.from(`\ufeff${object('ä')}`, 'utf16le')))).toEqual(['ä'])
    const broken = await write('b.yaml', Buffer.from([0x61, 0x3a, 0x20, 0xff]))
    await expect(names(broken)).rejects.toMatchObject({ code: 'yaml.syntax', details: { file: broken } })
  })

  it('follows links inside of the folder once, and none out of it', async () => {
    await write('inside/real.yaml', object('a'))
    await symlink('real.yaml', join(root, 'inside/link.yaml'))
    await symlink('.', join(root, 'inside/loop.yaml'))
    expect(await names(join(root, 'inside'), { recursive: true })).toEqual(['a'])
    const secret = await write('secret.yaml', object('secret'))
    await symlink(secret, join(root, 'inside/out.yaml'))
    await expect(names(join(root, 'inside'))).rejects.toMatchObject({
      code: 'file.unreadable',
      details: { file: join(root, 'inside/out.yaml') },
    })
  })

  it('names both places of an object that is there twice', async () => {
    const first = await write('a.yaml', `${object('x')}---\n${object('a')}`)
    const second = await write('b.yaml', `\n\n${object('a')}`)
    await expect(names(root)).rejects.toMatchObject({
      code: 'object.duplicate',
      message: `ConfigMap a is defined twice: ${first}:5 and ${second}:3`,
      details: {
        places: [
          { file: first, document: 2, line: 5 },
          { file: second, document: 1, line: 3 },
        ],
      },
    })
  })

  it('may hold any number of objects with a generated name', async () => {
    const generated = 'apiVersion: v1\nkind: Job\nmetadata: {generateName: job-}\n'
    expect(await names({ text: `${generated}---\n${generated}` })).toHaveLength(2)
  })

  it('names the file that is missing, broken or too large', async () => {
    const missing = join(root, 'none.yaml')
    await expect(names(missing)).rejects.toMatchObject({ code: 'file.not-found', details: { file: missing } })
    const broken = await write('broken.yaml', 'a: [\n')
    await expect(names(broken)).rejects.toMatchObject({ code: 'yaml.syntax', details: { file: broken, line: 2 } })
    await expect(names(broken, { maxBytes: 3 })).rejects.toMatchObject({
      code: 'input.too-large',
      details: { maxBytes: 3 },
    })
  })

  it('stops when it is cancelled', async () => {
    const file = await write('a.yaml', object('a'))
    const signal = AbortSignal.abort()
    await expect(readManifest(file, {}, context({ signal }))).rejects.toMatchObject({ code: 'cancelled' })
    await expect(readManifest(root, {}, context({ signal }))).rejects.toMatchObject({ code: 'cancelled' })
  })
})
