import fc from 'fast-check'
import type { TemplateCase } from './case-file.ts'

const data = {
  int: { $int: 7 },
  zero: { $int: 0 },
  uint: { $uint: 3 },
  float: 2.5,
  text: 'héllo',
  empty: '',
  yes: true,
  no: false,
  nil: null,
  list: [{ $int: 3 }, { $int: 4 }, 'five', null],
  names: { $strings: ['x', 'y'] },
  map: { a: { $int: 1 }, b: { c: { d: 'deep' } }, n: null },
  typed: { $stringMap: { k: 'v' } },
  maps: [{ name: 'n1' }, { name: 'n2', port: 80 }],
  thing: { $thing: { Name: 'box', Count: { $int: 2 }, Any: 'inside', Inner: { k: 'v' } } },
  values: { $values: { a: { $int: 1 } } },
}

const names = [...Object.keys(data), 'a', 'b.c', 'b.c.d', 'map.a', 'map.b.c', 'missing', 'nil.x', 'Name', 'thing.Hello', 'x.y']
const variables = ['$', '$x', '$y', '$.int', '$x.a', '$.map.b']
const functions = ['and', 'or', 'not', 'len', 'index', 'slice', 'print', 'printf "%v"', 'printf "%s-%d"', 'println', 'html', 'js', 'urlquery', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'call', 'takesString', 'takesInt', 'takesInt64', 'takesFloat', 'takesAny', 'takesMap', 'takesList', 'takesStrings', 'joined', 'prefixed', 'two', 'none', 'nothing', 'fails', 'list', 'dict "k"', 'dict "a" 1 "b"', 'int64', 'uint']
const constants = ['0', '1', '-3', '2.5', '1.5e1', '0x1F', "'a'", '"s"', '"a b\\n"', '`raw`', '"%d"', '""', 'true', 'false', 'nil', '17', '0b11', '1_0']
const methods = ['.thing.Greet', '.thing.Join', '.values.AsMap', '.map.a']
const texts = ['', ' ', 'text', '\n', ' \n\t', 'é€😀', '  x  ', '{', '}', 'a\nb\n', '100%']

interface Grammar {
  argument: string
  command: string
  invocation: string
  pipeline: string
  node: string
  list: string
}

const grammar = fc.letrec<Grammar>((loose) => {
  const tie = (part: keyof Grammar): fc.Arbitrary<string> => loose(part).map(String)
  return {
  argument: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'argument' },
    { weight: 4, arbitrary: fc.constantFrom(...constants) },
    { weight: 4, arbitrary: fc.constantFrom(...names).map((name) => `.${name}`) },
    { weight: 2, arbitrary: fc.constantFrom(...variables) },
    { weight: 1, arbitrary: fc.constant('.') },
    { weight: 3, arbitrary: tie('pipeline').map((pipeline) => `(${pipeline})`) },
    { weight: 1, arbitrary: fc.tuple(tie('pipeline'), fc.constantFrom(...names)).map(([p, name]) => `(${p}).${name}`) },
  ),
  command: fc.oneof(
    { weight: 2, arbitrary: tie('argument') },
    { weight: 3, arbitrary: tie('invocation') },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...methods), tie('argument')).map(([method, argument]) => `${method} ${argument}`),
    },
  ),
  invocation: fc
    .tuple(fc.constantFrom(...functions), fc.array(tie('argument'), { maxLength: 3 }))
    .map(([name, args]) => [name, ...args].join(' ')),
  pipeline: fc
    .tuple(tie('command'), fc.array(tie('invocation'), { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest].join(' | ')),
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'node' },
    { weight: 3, arbitrary: fc.constantFrom(...texts) },
    { weight: 6, arbitrary: action(tie('pipeline')) },
    { weight: 1, arbitrary: action(tie('pipeline').map((pipeline) => `$x := ${pipeline}`)) },
    { weight: 1, arbitrary: action(tie('pipeline').map((pipeline) => `$x = ${pipeline}`)) },
    { weight: 1, arbitrary: fc.constantFrom('{{/* c */}}', '{{- /* c */ -}}', '{{template "t" .}}') },
    { weight: 1, arbitrary: action(tie('pipeline').map((pipeline) => `template "t" ${pipeline}`)) },
    { weight: 4, arbitrary: branch(tie('pipeline'), tie('list')) },
  ),
  list: fc.array(tie('node'), { maxLength: 4 }).map((nodes) => nodes.join('')),
  }
})

/** Templates that make use of everything, with data for them. */
export const randomCase: fc.Arbitrary<TemplateCase> = fc
  .record({
    main: grammar.list,
    named: grammar.list,
    missingKey: fc.constantFrom('default', 'zero', 'error'),
    damage: fc.option(
      fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), length: fc.nat(3), insert: fc.constantFrom('', '{{', '}}', '"', '(', ' | ', '$', '.', '\n', ':=', ' - ', ',', '0', 'é', '☃', '`', "'", '/*', '{{end}}', '{{else}}') }),
      { freq: 3 },
    ),
  })
  .map(({ main, named, missingKey, damage }) => {
    const text = `{{$x := 1}}{{$y := .map}}${main}`
    const at = damage === null ? 0 : Math.floor(damage.at * text.length)
    const damaged = damage === null ? text : text.slice(0, at) + damage.insert + text.slice(at + damage.length)
    // Half a character is no text that Go could be given.
    const whole = damaged.toWellFormed()
    return {
      templates: [
        { name: 't', text: `{{$x := 2}}{{$y := .}}${named}`.replaceAll(/\{\{-? ?template[^}]*\}\}/g, '') },
        { name: 'a', text: whole },
      ],
      execute: 'a',
      data,
      missingKey,
    }
  })

/** Formats with flags, widths, indexes and verbs of all kinds, each with some values. */
export const randomFormat: fc.Arbitrary<TemplateCase> = fc
  .record({
    parts: fc.array(
      fc.oneof(
        fc.constantFrom('', 'x', 'é', '%%'),
        fc
          .tuple(
            fc.constantFrom('', '', '+', '-', '#', ' ', '0', '+0', '-0', '# ', '+#'),
            fc.constantFrom('', '', '[1]', '[2]', '[9]', '[x]'),
            fc.constantFrom('', '', '3', '12', '*', '[1]*'),
            fc.constantFrom('', '', '.', '.0', '.3', '.12', '.*'),
            fc.constantFrom(...Array.from('vdsqxXobOcUeEfFgGtTw%zé')),
          )
          .map((parts) => `%${parts.join('')}`),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    values: fc.array(
      fc.oneof(
        fc.constantFrom('.int', '.uint', '.float', '.text', '.yes', '.nil', '.list', '.names', '.map', '.thing', '-12', '0', '"q\\"\\x00é"'),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => Math.abs(value) < 1e300).map((value) => (Number.isInteger(value) ? value.toExponential() : `${value}`)),
        fc.maxSafeInteger().map(String),
      ),
      { maxLength: 3 },
    ),
  })
  .map(({ parts, values }) => ({
    templates: [{ name: 'a', text: `{{printf ${JSON.stringify(parts.join(''))} ${values.join(' ')}}}` }],
    execute: 'a',
    data,
    missingKey: 'default',
  }))

function action(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('{{', '{{', '{{ ', '{{- ', '{{\n'), inner, fc.constantFrom('}}', '}}', ' }}', ' -}}', '\n}}'))
    .map((parts) => parts.join(''))
}

function branch(pipeline: fc.Arbitrary<string>, list: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .record({
      word: fc.constantFrom('if', 'with', 'range', 'if $y :=', 'with $y :=', 'range $y :=', 'range $y, $x :=', 'range $y, $x ='),
      pipeline,
      list,
      jump: fc.constantFrom('', '', '{{break}}', '{{if .}}{{continue}}{{end}}', '{{with .}}{{break}}{{end}}.'),
      otherwise: fc.option(list),
      end: fc.constantFrom('{{end}}', '{{- end}}', '{{ end -}}'),
    })
    .map(
      ({ word, pipeline, list, jump, otherwise, end }) =>
        `{{${word} ${pipeline}}}${word.startsWith('range') ? list + jump : list}${otherwise === null ? '' : `{{else}}${otherwise}`}${end}`,
    )
}
