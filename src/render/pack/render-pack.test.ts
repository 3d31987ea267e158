import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadPack } from './load-pack.ts'
import { readPackFolder } from './read-pack-folder.ts'
import { renderPack, type RenderPackOptions } from './render-pack.ts'

const release = { name: 'shop', namespace: 'prod', revision: 1, isInstall: true, isUpgrade: false }
const packYaml = (name: string, more = '') =>
  `apiVersion: sherpack/v1\nmetadata:\n  name: ${name}\n  version: 1.2.3\n${more}`

type Files = Readonly<Record<string, string>>

function packOf(files: Files) {
  const all = { 'Pack.yaml': packYaml('cart'), ...files }
  return loadPack(new Map(Object.entries(all).map(([path, text]) => [path, Buffer.from(text)])))
}

async function render(files: Files, options: Partial<RenderPackOptions> = {}) {
  const pack = packOf(files)
  return renderPack(pack, { values: pack.values, release, now: () => new Date(0), ...options })
}

/** What an expression prints, in a template whose name says YAML. */
async function printed(expression: string, values: object = {}): Promise<unknown> {
  const template = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: |-\n    {{ ${expression} }}\n`
  const { objects } = await render({ 'templates/a.yaml': template, 'f/a.txt': 'one\ntwo\n' }, { values: { ...values } })
  return (objects[0] as unknown as { data: { x: string } }).data.x
}

describe('a template', () => {
  it.for<[string, string]>([
    ['values.a.b.c | default("none")', 'none'],
    ['{"b": [1, "x", none, true], "a": {}} | tojson', '{"a":{},"b":[1,"x",null,true]}'],
    ['{"a": "1"} | toyaml', 'a: "1"'],
    ['\'{"a": [1]}\' | fromjson | tojson', '{"a":[1]}'],
    ["fromyaml('a: [1, x]').a[1]", 'x'],
    ["'häß' | b64encode | b64decode", 'häß'],
    ["'a\"b' | quote", '"a\\"b"'],
    ['"it\'s" | squote', "'it''s'"],
    ["5 | quote ~ ['a', 1] | quote", '"5""[\\"a\\", 1]"'],
    ["'>' ~ ('a\\n\\nb' | indent(2) | replace('\\n', '/'))", '>  a//  b'],
    ["'a' | nindent(2) | replace('\\n', '/')", '/  a'],
    ["'' | empty ~ ([] | empty) ~ ({'a': 1} | empty)", 'truetruefalse'],
    ["{'a': 1} | haskey('a') ~ ({'a': 1} | haskey('b'))", 'truefalse'],
    ["{'b': 1, 'a': 2} | keys | join(',')", 'a,b'],
    ["{'b': 1, 'a': 2} | values | join(',')", '2,1'],
    ["{'a': {'x': 1, 'y': 1}} | merge({'a': {'y': 2}}) | tojson", '{"a":{"x":1,"y":2}}'],
    ["'abc' | sha256 | trunc(8)", 'ba7816bf'],
    ["'abc' | md5", '900150983cd24fb0d6963f7d28e17f72'],
    ["'v1.2' | trimprefix('v') | trimsuffix('.2')", '1'],
    ["'MyAppName' | snakecase ~ ' ' ~ ('My App' | kebabcase)", 'my_app_name my--app'],
    ["'my-app_name' | camelcase ~ ' ' ~ ('my-app' | pascalcase)", 'myAppName MyApp'],
    ["['a', '', none] | tostrings(prefix='-', skip_empty=true) | join(',')", '-a'],
    ["'1.5.0' | semver_match('>=1.2, <2') ~ ('2.0.0' | semver_match('1.2'))", 'truefalse'],
    ["'12' | int + 1", '13'],
    [
      "'/a/b/c.tar' | basename ~ ' ' ~ ('/a/b/c' | dirname) ~ ' ' ~ ('c.tar' | extname) ~ ' ' ~ ('a/../b//c' | cleanpath)",
      'c.tar /a/b tar b/c',
    ],
    [
      "'/a' | dirname ~ ' ' ~ ('a' | dirname) ~ ('/' | dirname) ~ ' ' ~ ('a/..' | basename) ~ ('a/b/' | basename)",
      '/  b',
    ],
    [
      "'a1b22' | regex_find_all('[0-9]+') | join(',') ~ ('a1' | regex_match('^a')) ~ ('ab' | regex_replace('(a)(b)', '$2$1'))",
      '1,22trueba',
    ],
    ["{'a': 1, 'b': 2} | pick('a') | tojson ~ ({'a': 1, 'b': 2} | omit('a') | tojson)", '{"a":1}{"b":2}'],
    ['[1] | append(2) | prepend(0) | concat([3]) | without(1) | tojson', '[0,2,3]'],
    ["[0, '', none, [], 'a'] | compact | tojson", '[0,"a"]'],
    ['2.5 | floor ~ (2.5 | ceil) ~ (-3 | abs)', '233'],
    ["'ab' | repeat(2) ~ ('hello' | substr(1, 3)) ~ ('a' | hasprefix('a'))", 'ababelltrue'],
    ["dict('a', 1, 'b', list(1, 2)) | tojson", '{"a":1,"b":[1,2]}'],
    ["get(values, 'x', 'd') ~ dig(values, 'a', 'b', 'd') ~ coalesce('', none, 'c')", 'dfoundc'],
    ["ternary('y', 'n', true) ~ printf('%s-%d%%', 'a', 1) ~ tostring(1) ~ toint('2')", 'ya-1%12'],
    ["set({'a': 1}, 'b', 2) | tojson ~ (unset({'a': 1}, 'a') | tojson)", '{"a":1,"b":2}{}'],
    ['now()', '1970-01-01T00:00:00Z'],
    ["tpl('{{ a }}!', {'a': 'x'}) ~ tpl_ctx(values.text)", 'x!shop in prod'],
    ["lookup('v1', 'Secret', 'a', 'b') | tojson", '{}'],
    [
      "files.get('f/a.txt') | trim | replace('\\n', ',') ~ files.exists('none') ~ (files.lines('f/a.txt') | length)",
      'one,twofalse2',
    ],
    ["files.glob('f/*') | map(attribute='name') | join(',')", 'a.txt'],
    [
      'release.name ~ release.isInstall ~ pack.name ~ pack.version ~ capabilities.kubeVersion.major',
      'shoptruecart1.2.31',
    ],
  ])('prints {{ %s }} as %j', async ([expression, expected]) => {
    const values = { a: { b: 'found' }, text: '{{ release.name }} in {{ release.namespace }}' }
    expect(await printed(expression, values)).toBe(expected)
  })

  it.for<[string, string]>([
    ["fail('no such luck')", 'templates are wrong: no such luck'],
    ["values.none | required('give values.none')", 'give values.none'],
    ["'x' | int", "cannot read 'x' as a number"],
    ["'%' | b64decode", 'this is no base64'],
    ["files.get('none')", 'the pack has no file none'],
    ["files.get('../../etc/passwd')", 'leads out of the pack'],
    ["files.get('/etc/passwd')", 'leads out of the pack'],
    ["'a' | regex_match('(')", 'invalid regex'],
    ["nothing('x')", 'nothing is unknown'],
    ["'x' | nothing", 'filter nothing is unknown'],
    ["dict('a')", 'in pairs'],
  ])('fails at its line for {{ %s }}', async ([expression, message]) => {
    const failure = render({ 'templates/a.yaml': `a: 1\nb: {{ ${expression} }}\n` })
    const reason = message.replace('templates are wrong: ', '')
    await expect(failure).rejects.toMatchObject({ code: 'template.failed', details: { place: 'a.yaml:2' } })
    await expect(failure).rejects.toThrow(reason)
  })

  it('that is no template is refused at its line', async () => {
    await expect(render({ 'templates/a.yaml': 'a: 1\n{% if %}\n' })).rejects.toMatchObject({
      code: 'template.syntax',
      details: { place: 'a.yaml:2' },
    })
  })

  it('may use macros of others, inherit and include', async () => {
    const { objects, notes } = await render({
      'templates/_macros.j2': '{% macro name(x) %}{{ release.name }}-{{ x }}{% endmacro %}',
      'templates/_base.yaml': 'apiVersion: v1\nkind: {% block kind %}Secret{% endblock %}\nmetadata: {name: base}\n',
      'templates/b.yaml': "{% extends '_base.yaml' %}{% block kind %}ConfigMap{% endblock %}",
      'templates/c.yaml': "---\n{% include '_base.yaml' %}",
      'templates/a.yaml.j2':
        "{% from '_macros.j2' import name %}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ name('a') }}}\n",
      'templates/empty.yaml': '{% if false %}x{% endif %}',
      'templates/NOTES.txt': 'Thank you for {{ pack.name }}',
    })
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap shop-a',
      'ConfigMap base',
      'Secret base',
    ])
    expect(notes).toBe('Thank you for cart')
  })
})

describe('a hostile pack is stopped', () => {
  it.for<[string, string]>([
    ['a loop', '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}'],
    ['recursion', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}'],
    ['a long text', "{{ 'x' * 1000000000 }}"],
    [
      'a text that doubles',
      "{% set n = namespace(x='xxxxxxxx') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    ],
    ['a long output', "{% for a in range(9000) %}{{ 'x' | repeat(1000) }}{% endfor %}"],
  ])('for %s', async ([, template]) => {
    await expect(render({ 'templates/a.yaml': template })).rejects.toMatchObject({ code: 'template.limit' })
  })

  it.for<[string, string]>([
    ['tpl that calls itself', '{{ tpl_ctx(values.again) }}'],
    ['repeat', "{{ 'x' | repeat(1000000000) }}"],
    ['indent', "{{ 'x' | indent(1000000000) }}"],
  ])('for %s', async ([, template]) => {
    const values = { again: '{{ tpl_ctx(values.again) }}' }
    await expect(render({ 'templates/a.yaml': template }, { values })).rejects.toMatchObject({
      code: 'template.failed',
    })
  })

  it('and others are rendered after it', async () => {
    await expect(render({ 'templates/a.yaml': "{{ 'x' * 2000000000 }}" })).rejects.toMatchObject({
      code: 'template.limit',
    })
    expect(await printed('1 + 1')).toBe('2')
  })

  it('for links that lead out of it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lading-pack-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'templates'))
    await writeFile(join(folder, 'Pack.yaml'), packYaml('cart'))
    await symlink('/etc/hostname', join(folder, 'templates/a.yaml'))
    await expect(readPackFolder(folder)).rejects.toMatchObject({ code: 'archive.refused' })
  })
})

describe('values', () => {
  const schema = `schemaVersion: sherpack/v1
properties:
  app:
    type: object
    properties:
      name: {type: string, required: true, pattern: "^[a-z]+$"}
      replicas: {type: integer, default: 2, min: 1, max: 5}
  mode: {type: string, default: fast, enumValues: [fast, slow]}
  anything: {type: any}
`
  const template = { 'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ values.app.name }}}\n' }

  it('have the defaults of the schema', () => {
    expect(packOf({ 'values.schema.yaml': schema }).schemaDefaults).toEqual({ app: { replicas: 2 }, mode: 'fast' })
    const json = '{"type":"object","properties":{"a":{"default":1}}}'
    expect(packOf({ 'values.schema.json': json }).schemaDefaults).toEqual({ a: 1 })
  })

  it.for<[string, object]>([
    ['a name that does not match', { app: { name: 'A' } }],
    ['no name', { app: {} }],
    ['too many', { app: { name: 'a', replicas: 6 } }],
    ['a word that is not listed', { app: { name: 'a' }, mode: 'medium' }],
  ])('are held to the schema: %s', async ([, values]) => {
    await expect(
      render({ ...template, 'values.schema.yaml': schema }, { values: { ...values } }),
    ).rejects.toMatchObject({ code: 'values.invalid' })
  })

  it('that fit are taken, and a schema that refers elsewhere is refused', async () => {
    const values = { app: { name: 'a', replicas: 5 }, mode: 'slow', anything: [1] }
    expect((await render({ ...template, 'values.schema.yaml': schema }, { values })).objects).toHaveLength(1)
    const remote = '{"$ref":"file:///etc/passwd"}'
    await expect(render({ ...template, 'values.schema.json': remote }, { values })).rejects.toThrow('schema')
  })
})

describe('packs below a pack', () => {
  const config =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ pack.name }}-{{ values.size }}-{{ values.global.env }}"}\n'
  const files = {
    'Pack.yaml': packYaml(
      'cart',
      'dependencies:\n- {name: redis, version: 1.0.0, repository: "", condition: redis.enabled}\n',
    ),
    'values.yaml': 'size: 1\nglobal: {env: test}\nredis: {enabled: true, size: 7}\n',
    'templates/a.yaml': config,
    'charts/redis/Pack.yaml': packYaml('redis'),
    'charts/redis/values.yaml': 'size: 3\n',
    'charts/redis/templates/a.yaml': config,
    'charts/redis/crds/a.yaml':
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n',
  }

  it('see their own values, those given under their name, and the global ones', async () => {
    const { objects, manifests, crds } = await render(files)
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['redis-7-test', 'cart-1-test'])
    expect([...manifests.keys()]).toEqual(['redis/a.yaml', 'a.yaml'])
    expect(crds).toHaveLength(1)
  })

  it('are left out by their condition, and missed where they are not there', async () => {
    const off = { ...files, 'values.yaml': 'size: 1\nglobal: {env: test}\nredis: {enabled: false}\n' }
    expect((await render(off)).objects).toHaveLength(1)
    const alone = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith('charts/')))
    await expect(render(alone)).rejects.toMatchObject({ code: 'pack.invalid' })
  })
})

it.for<[string, string, string]>([
  ['another apiVersion', 'apiVersion: v2\nmetadata: {name: a, version: 1.0.0}\n', 'apiVersion is "v2"'],
  ['no metadata', 'apiVersion: sherpack/v1\n', 'metadata is missing'],
  ['a name that is a path', 'apiVersion: sherpack/v1\nmetadata: {name: ../a, version: 1.0.0}\n', 'no usable name'],
  ['no version', 'apiVersion: sherpack/v1\nmetadata: {name: a}\n', 'no semantic version'],
  ['an unknown kind', 'apiVersion: sherpack/v1\nkind: thing\nmetadata: {name: a, version: 1.0.0}\n', 'kind is "thing"'],
  ['YAML that is none', 'a: [', 'Pack.yaml'],
])('a Pack.yaml with %s is refused', (row) => {
  const [, text, message] = row
  expect(() => packOf({ 'Pack.yaml': text })).toThrow(message)
})
