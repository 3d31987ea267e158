import { mkdtempSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ErrorCode, LadingError } from '../../core/index.ts'
import { buildKustomization, type FileTree, folderTree, memoryTree } from './index.ts'

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const deep = 10_000
const block = (levels: number) => Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}k:`).join('\n')

type Files = Record<string, string>

function failure(tree: FileTree, path: string): LadingError {
  try {
    buildKustomization(tree, path)
  } catch (error) {
    if (error instanceof LadingError) return error
    throw error
  }
  throw new Error('the build did not fail')
}

describe('hostile files are refused with a sentence', () => {
  const patch = (target: object): Files => ({
    'kustomization.yaml': JSON.stringify({
      resources: ['a.yaml'],
      patches: [{ target, patch: '- {op: remove, path: /data}' }],
    }),
    'a.yaml': configMap('a'.repeat(200)),
  })
  it.each<[string, Files, ErrorCode, RegExp]>([
    [
      'paths out of the folder',
      { 'o/kustomization.yaml': 'resources: [../../../../etc/passwd]', 'o/a.yaml': '' },
      'file.not-found',
      /etc\/passwd/,
    ],
    [
      'generators that read out of the folder',
      { 'o/kustomization.yaml': 'configMapGenerator: [{name: c, files: [../secret]}]', secret: 's' },
      'kustomize.refused',
      /not in or below/,
    ],
    [
      'folders in each other',
      { 'o/kustomization.yaml': 'resources: [../p]', 'p/kustomization.yaml': 'components: [../o]' },
      'kustomize.invalid',
      /cycle/,
    ],
    [
      '10,000 bases, one over the other',
      Object.fromEntries(
        Array.from({ length: deep }, (_, at) => [`b${at}/kustomization.yaml`, `resources: [../b${at + 1}]`]),
      ),
      'kustomize.invalid',
      /more than 100 levels deep/,
    ],
    [
      'components that double 40 times',
      Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `c${at}/kustomization.yaml`,
          `${at === 0 ? '' : 'kind: Component\n'}components: [../c${at + 1}, ../c${at + 1}]`,
        ]).concat([['c40/kustomization.yaml', 'kind: Component\nnamePrefix: x-']]),
      ),
      'kustomize.invalid',
      /more than 5000 kustomizations/,
    ],
    [
      'a folder 10,000 levels down',
      { 'kustomization.yaml': `resources: [${'a/'.repeat(deep)}]`, 'a.yaml': configMap('a') },
      'file.not-found',
      /there is no/,
    ],
    [
      'lists nested 10,000 times',
      {
        'kustomization.yaml': 'resources: [a.yaml]',
        'a.yaml': `${configMap('a')}x: ${'['.repeat(deep)}${']'.repeat(deep)}`,
      },
      'yaml.syntax',
      /a\.yaml/,
    ],
    [
      'maps nested 2,000 times by indentation',
      {
        'kustomization.yaml': 'resources: [a.yaml]',
        'a.yaml': `${configMap('a')}x:\n${block(2000).replaceAll(/^/gm, ' ')}`,
      },
      'yaml.syntax',
      /a\.yaml/,
    ],
    [
      'a kustomization nested 10,000 times',
      { 'kustomization.yaml': `resources: ${'['.repeat(deep)}${']'.repeat(deep)}` },
      'yaml.limit',
      /kustomization\.yaml/,
    ],
    [
      'JSON nested 10,000 times',
      { 'kustomization.yaml': 'resources: [a.json]', 'a.json': `{"x": ${'['.repeat(deep)}${']'.repeat(deep)}}` },
      'yaml.syntax',
      /a\.json/,
    ],
    [
      'aliases that multiply',
      {
        'kustomization.yaml': 'resources: [a.yaml]',
        'a.yaml': `${configMap('a')}k0: &k0 [x]\n${Array.from({ length: 40 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at},*k${at},*k${at}]`).join('\n')}`,
      },
      'yaml.limit',
      /aliases/,
    ],
    [
      'aliases that multiply in a kustomization',
      {
        'kustomization.yaml': `metadata: {annotations: {}}\nk0: &k0 [x]\n${Array.from({ length: 40 }, (_, at) => `k${at + 1}: &k${at + 1} [*k${at},*k${at},*k${at}]`).join('\n')}`,
      },
      'yaml.limit',
      /aliases/,
    ],
    [
      'a pattern that repeats too much',
      patch({ name: '((a{1,1000}){1,1000}){1,1000}' }),
      'kustomize.invalid',
      /target/,
    ],
    [
      'a pattern nested 10,000 times',
      patch({ name: `${'('.repeat(deep)}a${')'.repeat(deep)}` }),
      'kustomize.invalid',
      /target/,
    ],
    ['a look-ahead', patch({ name: '(?=a)a' }), 'kustomize.invalid', /is not a valid pattern/],
  ])('%s', (_name, files, code, words) => {
    const path = 'kustomization.yaml' in files ? '.' : Object.keys(files)[0]!.split('/')[0]!
    const error = failure(memoryTree(files), path)
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)])
    // A sentence, however large the input was.
    expect(error.message.length).toBeLessThan(50_000)
  })
})

describe('hostile files that are no error', () => {
  it('patterns over which others take for ever match at once', () => {
    const patterns = ['(a+)+b', '(a|a)*b', '(a|aa)+b', '(.*)*b', '([a-z]+)*=', `${'a?'.repeat(200)}${'a'.repeat(200)}b`]
    const patches = patterns.map((name) => ({ target: { name }, patch: '- {op: remove, path: /data}' }))
    const replacements = patterns.map((name) => ({
      sourceValue: 'x',
      targets: [{ select: { name }, fieldPaths: ['data.a'] }],
    }))
    const files = {
      'kustomization.yaml': JSON.stringify({ resources: ['a.yaml'], patches, replacements }),
      'a.yaml': configMap('a'.repeat(1000)),
    }
    expect(buildKustomization(memoryTree(files), '.')).toHaveLength(1)
  })

  it('a component that is named 300 times is applied as often', () => {
    const components = Array.from({ length: 300 }, () => 'c')
    const files = {
      'kustomization.yaml': JSON.stringify({ resources: ['a.yaml'], components }),
      'a.yaml': configMap('a'),
      'c/kustomization.yaml': JSON.stringify({
        kind: 'Component',
        apiVersion: 'kustomize.config.k8s.io/v1alpha1',
        nameSuffix: '-x',
      }),
    }
    const [object] = buildKustomization(memoryTree(files), '.')
    expect(object?.metadata.name).toBe(`a${'-x'.repeat(300)}`)
  })
})

describe('a real folder', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'lading-hostile-'))
    for (const folder of ['tree/big', 'tree/link', 'tree/loop']) mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'secret'), configMap('secret'))
    for (const folder of ['big', 'link', 'loop']) {
      writeFileSync(join(root, 'tree', folder, 'kustomization.yaml'), 'resources: [a.yaml]')
    }
    writeFileSync(join(root, 'tree/big/a.yaml'), '')
    truncateSync(join(root, 'tree/big/a.yaml'), 100 * 1024 * 1024)
    symlinkSync(join(root, 'secret'), join(root, 'tree/link/a.yaml'))
    symlinkSync('.', join(root, 'tree/loop/a.yaml'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each<[string, ErrorCode]>([
    ['big', 'input.too-large'],
    ['link', 'kustomize.refused'],
    ['loop', 'kustomize.invalid'],
  ])('%s is refused', (path, code) => {
    expect(failure(folderTree(join(root, 'tree')), path).code).toBe(code)
  })

  it('a file of 100 MB in memory is refused as one on disk', () => {
    const files = { 'kustomization.yaml': 'resources: [a.yaml]', 'a.yaml': Buffer.alloc(100 * 1024 * 1024, 0x61) }
    expect(failure(memoryTree(files), '.').code).toBe('input.too-large')
  })
})
