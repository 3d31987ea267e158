import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { context, silentLog } from '../../core/index.ts'
import { readValues } from './read-values.ts'

describe('values files', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'lading-values-'))
  })
  afterEach(async () => rm(root, { recursive: true, force: true }))

  async function write(name: string, content: string | Buffer): Promise<string> {
    const path = join(root, name)
    await writeFile(path, content)
    return path
  }

  it('are YAML maps or nothing, from files and from standard input', async () => {
    const [a, empty] = [await write('a.yaml', 'a: {b: yes}\n'), await write('empty.yaml', '# nothing\n')]
    const stdin = Readable.from(['c: ', '1\n'])
    expect(await readValues({ files: [a, '-', empty] }, { stdin }, context())).toEqual({
      files: [
        { name: a, values: { a: { b: true } } },
        { name: 'stdin', values: { c: 1 } },
        { name: empty, values: {} },
      ],
      set: [],
    })
  })

  it('may have several documents, and a key twice, of which the last counts and which is told, as in Helm', async () => {
    const several = await write('several.yaml', 'a: {b: 1, c: 1}\n---\n---\na: {c: 2}\n')
    const twice = await write('twice.yaml', 'a: 1\nb: {c: 1, c: 2}\na: 3\n')
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
    const { files } = await readValues({ files: [several, twice] }, {}, context({ log }))
    expect(files.map(({ values }) => values)).toEqual([{ a: { b: 1, c: 1 } }, { a: { c: 2 } }, { a: 3, b: { c: 2 } }])
    expect(warnings).toEqual([
      `${twice}:2:11 (document 1): the key "c" is given twice: the last one counts, as in Helm`,
    ])
  })

  it('are refused with their name when they are no map, missing, broken, too large or remote', async () => {
    const list = await write('list.yaml', '- a\n')
    const broken = await write('broken.yaml', 'a: 1\nb: [\n')
    const read = async (path: string, maxBytes?: number) =>
      readValues({ files: [path] }, maxBytes === undefined ? {} : { maxBytes }, context())
    await expect(read(list)).rejects.toMatchObject({
      code: 'values.invalid',
      message: `${list}: values are a map, this is a list`,
    })
    await expect(read(broken)).rejects.toMatchObject({ code: 'yaml.syntax', details: { file: broken, line: 3 } })
    await expect(read(join(root, 'none'))).rejects.toMatchObject({ code: 'file.not-found' })
    await expect(read(root)).rejects.toMatchObject({ code: 'file.unreadable' })
    await expect(read(list, 3)).rejects.toMatchObject({ code: 'input.too-large', details: { maxBytes: 3 } })
    await expect(read('https://me:hush@example.com/v.yaml')).rejects.toMatchObject({
      code: 'values.invalid',
      message: expect.not.stringContaining('hush'),
    })
    await expect(read('-')).rejects.toMatchObject({ code: 'usage.invalid' })
  })

  it('give the content of --set-file as it is', async () => {
    const key = await write('key.pem', '-----BEGIN-----\n\tx: [\n')
    const { set } = await readValues(
      { set: [{ flag: 'set-file', text: `tls.key=${key},all={${key}}` }] },
      {},
      context(),
    )
    expect(set.map(({ path, value }) => [path, value])).toEqual([
      [['tls', 'key'], '-----BEGIN-----\n\tx: [\n'],
      [['all'], ['-----BEGIN-----\n\tx: [\n']],
    ])
  })

  it('of --set-file name flag and place when they are missing or no text', async () => {
    const binary = await write('binary', Buffer.from([0xff, 0xfe, 0xfd]))
    const read = async (text: string) => readValues({ set: [{ flag: 'set-file', text }] }, {}, context())
    await expect(read(`a.b=${binary}`)).rejects.toMatchObject({
      code: 'values.invalid',
      message: `--set-file, character 1: ${binary} is no UTF-8 text`,
    })
    await expect(read('a=')).rejects.toMatchObject({ message: '--set-file, character 1: a names no file' })
    await expect(read(`a=${join(root, 'none')}`)).rejects.toMatchObject({ code: 'file.not-found' })
  })

  it('are not read once the operation is cancelled', async () => {
    const file = await write('a.yaml', 'a: 1\n')
    const ctx = context({ signal: AbortSignal.abort() })
    await expect(readValues({ files: [file] }, {}, ctx)).rejects.toMatchObject({ code: 'cancelled' })
  })
})
