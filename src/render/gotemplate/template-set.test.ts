import { describe, expect, it } from 'vitest'
import { isLadingError, manualClock } from '../../core/index.ts'
import { GoError, GoFunction, GoInt, type GoMap, type GoValue, TemplateSet, TreeCache } from './index.ts'

describe('a set of templates', () => {
  it('tells which templates there are, in the order of their definition', () => {
    const set = newSet()
    set.parse('main', '{{define "part"}}x{{end}}')
    expect(set.names()).toEqual(['part', 'main'])
    expect(set.has('part')).toBe(true)
    expect(set.has('other')).toBe(false)
  })

  it('says what is wrong with a text: code, template and line', () => {
    const error = failure(() => newSet().parse('chart/a.yaml', 'a\n{{ nope }}'))
    expect(error.message).toBe('template: chart/a.yaml:2: function "nope" not defined')
    expect(error).toMatchObject({ code: 'template.syntax', details: { template: 'chart/a.yaml', line: 2 } })
  })

  it('says where an execution failed: code, template, line and column in bytes', () => {
    const set = newSet()
    set.parse('a.yaml', 'x\né {{ .a.b }}')
    const error = failure(() => set.execute('a.yaml', map({ a: null })))
    expect(error.message).toBe(
      'template: a.yaml:2:8: executing "a.yaml" at <.a.b>: nil pointer evaluating interface {}.b',
    )
    expect(error).toMatchObject({ code: 'template.failed', details: { template: 'a.yaml', line: 2, column: 8 } })
  })

  it('names itself where a template is missing', () => {
    const set = new TemplateSet({ functions: {}, missingKey: 'error', name: 'gotpl' })
    expect(failure(() => set.execute('x', null)).message).toBe(
      'template: no template "x" associated with template "gotpl"',
    )
  })

  it('takes other delimiters', () => {
    const set = new TemplateSet({ functions: {}, missingKey: 'error', leftDelim: '<<', rightDelim: '>>' })
    set.parse('a', '{{x}} << 1 ->>  |<</* c */>> << ">" >>')
    expect(set.execute('a', null)).toBe('{{x}} 1| >')
  })

  it('lets a function named break take the place of the keyword', () => {
    const set = newSet({ break: new GoFunction('break', [], () => 'called') })
    set.parse('a', '{{break}}')
    expect(set.execute('a', null)).toBe('called')
  })

  it('lets functions of the set replace those of Go', () => {
    const set = newSet({ len: new GoFunction('len', ['any'], () => 'mine') })
    set.parse('a', '{{len 1}}')
    expect(set.execute('a', null)).toBe('mine')
  })

  it('joins the bytes of a character that were printed one by one', () => {
    const set = newSet()
    set.parse('a', '{{range .}}{{printf "%s" .}}{{end}}')
    expect(set.execute('a', ['\uDCE2', '\uDC82', '\uDCAC'])).toBe('€')
  })
})

describe('a clone', () => {
  it('has the templates of its origin, and keeps its own to itself', () => {
    const set = newSet()
    set.parse('a', '{{template "b"}}')
    set.parse('b', 'old')
    const clone = set.clone()
    clone.parse('b', 'new')
    expect(clone.execute('a', null)).toBe('new')
    expect(set.execute('a', null)).toBe('old')
  })

  it('can have functions of its own', () => {
    const set = newSet({ who: new GoFunction('who', [], () => 'origin') })
    set.parse('a', '{{who}}')
    const clone = set.clone({ who: new GoFunction('who', [], () => 'clone') })
    expect([set.execute('a', null), clone.execute('a', null)]).toEqual(['origin', 'clone'])
  })
})

describe('a cache of parsed texts', () => {
  it('serves sets with different functions, and still refuses what one of them lacks', () => {
    const cache = new TreeCache()
    const functions = { f: new GoFunction('f', [], () => 'F') }
    const first = new TemplateSet({ functions, missingKey: 'error', cache })
    first.parse('a', '{{f}}')
    const second = new TemplateSet({ functions: {}, missingKey: 'error', cache })
    expect(failure(() => second.parse('a', '{{f}}')).code).toBe('template.syntax')
    const third = new TemplateSet({ functions, missingKey: 'error', cache })
    third.parse('a', '{{f}}')
    expect(third.execute('a', null)).toBe('F')
  })

  it('drops the oldest texts when it is full', () => {
    const cache = new TreeCache(100)
    const set = new TemplateSet({ functions: {}, missingKey: 'error', cache })
    for (let index = 0; index < 50; index++) set.parse(`t${index}`, `text ${index}`)
    expect(set.execute('t0', null)).toBe('text 0')
    expect(cache.length).toBeLessThanOrEqual(100)
  })
})

describe('functions that execute templates', () => {
  it('say the whole way to a failure', () => {
    const set = withInclude()
    set.parse('a', '{{include "b" .}}')
    set.parse('b', '\n{{fail "no"}}')
    expect(failure(() => set.execute('a', null)).message).toBe(
      'template: a:1:2: executing "a" at <include "b" .>: error calling include: ' +
        'template: b:2:2: executing "b" at <fail "no">: error calling fail: no',
    )
  })

  it('share the limits with what calls them', () => {
    const set = withInclude({ maxOutputBytes: 1000 })
    set.parse('b', '0123456789')
    set.parse('c', '{{range 100}}{{$x := include "b" .}}{{end}}done')
    expect(failure(() => set.execute('c', null)).code).toBe('template.limit')
    set.parse('d', '{{range 90}}{{$x := include "b" .}}{{end}}done')
    expect(set.execute('d', null)).toBe('done')
  })
})

describe('a runaway template is stopped', () => {
  it.each([
    ['that calls itself', '{{template "a" .}}'],
    ['that includes itself', '{{include "a" .}}'],
    [
      'that includes itself within everything',
      '{{if 1}}{{with 1}}{{range 1}}{{print (print (include "a" .))}}{{end}}{{end}}{{end}}',
    ],
    ['that never ends', '{{range 9223372036854775807}}{{end}}'],
    ['that prints without end', '{{range 9223372036854775807}}some text{{end}}'],
    ['that pads without end', '{{range 9223372036854775807}}{{printf "%1000000d" 1}}{{end}}'],
  ])('%s', (_, text) => {
    const set = withInclude({ maxSteps: 1_000_000, maxOutputBytes: 10_000_000 })
    set.parse('a', text)
    expect(failure(() => set.execute('a', null)).code).toBe('template.limit')
    set.parse('b', 'fine')
    expect(set.execute('b', null)).toBe('fine')
  })

  it('by a clock', () => {
    let asked = 0
    const clock = { ...manualClock(), now: () => ++asked }
    const set = withInclude({ deadline: { clock, at: 10 } })
    set.parse('a', '{{range 9223372036854775807}}{{end}}')
    expect(failure(() => set.execute('a', null)).message).toBe('the templates take longer than they may')
    expect(asked).toBe(11)
  })

  it('whose value holds itself many times over', () => {
    let bomb: GoValue = ['x'.repeat(1000)]
    for (let level = 0; level < 30; level++) bomb = [bomb, bomb]
    const set = newSet()
    set.parse('a', '{{.}}')
    expect(failure(() => set.execute('a', bomb)).code).toBe('template.limit')
  })

  it.each([
    ['parentheses', `{{${'('.repeat(20_000)}1${')'.repeat(20_000)}}}`],
    ['branches', '{{if 1}}'.repeat(20_000)],
    ['blocks', '{{block "x" 1}}'.repeat(20_000)],
    ['else ifs', `{{if 1}}${'{{else if 1}}'.repeat(20_000)}{{end}}`],
  ])('already when it is parsed: %s', (_, text) => {
    expect(failure(() => newSet().parse('a', text)).code).toBe('template.syntax')
  })
})

it('recurses as deeply as charts do', () => {
  const set = withInclude()
  set.parse(
    'a',
    '{{if gt (len .) 0}}{{range slice . 1 | list}}{{include "a" .}}{{end}}{{end}}{{if eq (len .) 0}}end{{end}}',
  )
  expect(
    set.execute(
      'a',
      Array.from({ length: 100 }, () => 1),
    ),
  ).toBe('end')
})

function newSet(functions: Readonly<Record<string, GoFunction>> = {}): TemplateSet {
  return new TemplateSet({ functions, missingKey: 'default' })
}

function withInclude(limits: ConstructorParameters<typeof TemplateSet>[0]['limits'] = {}): TemplateSet {
  const set: TemplateSet = new TemplateSet({
    functions: {
      include: new GoFunction('include', ['string', 'any'], ([name, data]) => set.execute(name as string, data)),
      fail: new GoFunction('fail', ['string'], ([message]) => new GoError(message as string)),
      list: new GoFunction('list', ['any'], (items) => [...items], true),
      int: new GoFunction('int', ['float64'], ([value]) => new GoInt(value as number)),
    },
    missingKey: 'default',
    limits,
  })
  return set
}

function map(entries: Readonly<Record<string, GoValue>>): GoMap {
  return Object.assign(Object.create(null) as GoMap, entries)
}

function failure(run: () => unknown): { code: string; message: string } {
  try {
    run()
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('it did not fail')
}
