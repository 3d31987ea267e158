import { describe, expect, it } from 'vitest'
import { isLadingError, type KubeObject, type LadingError } from '../../../core/index.ts'
import { compileRules, ruleMistakes } from './custom-rules.ts'

const widget = (fields: Record<string, unknown> = {}, annotations?: Record<string, string>): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', generation: 2, ...(annotations && { annotations }) },
  ...fields,
})

const statusBy = (rule: { current: string; failed?: string; inProgress?: string }, object: KubeObject) =>
  compileRules([{ kind: 'Widget', ...rule }])(object)?.status

describe('a readiness rule in CEL', () => {
  it.each([
    ['status.phase == "Running"', 'Current'],
    ['status.phase == "Stopped"', 'InProgress'],
    ['self.status.phase == "Running" && kind == "Widget"', 'Current'],
    ['status.count == 3 && status.count + 1 == 4 && status.share < 1.0', 'Current'],
    ['status.conditions.filter(e, e.type == "Ready").all(e, e.status == "True")', 'Current'],
    ['data.parts.exists(p, p == "wheel")', 'Current'],
    ['has(status.missing)', 'InProgress'],
    ['status.missing.deeper == 1', 'InProgress'],
    ['status.?missing.orValue("none") == "none"', 'Current'],
    ['status.toString == "x"', 'InProgress'],
    ['status.phase.deeper == 1', 'InProgress'],
    ['status["missing"] == "x"', 'InProgress'],
    ['status.conditions[3].type == "Ready"', 'InProgress'],
    ['status.conditions.exists(e, e.missing == "x")', 'InProgress'],
    ['self.status.missing == 1', 'InProgress'],
    ['self.?status.missing.orValue(0) == 1', 'InProgress'],
    ['data.missing == "x"', 'InProgress'],
  ])('%s makes the object %s', (current, expected) => {
    const status = { phase: 'Running', count: 3, share: 0.5, conditions: [{ type: 'Ready', status: 'True' }] }
    expect(statusBy({ current }, widget({ status, data: { parts: ['wheel'] } }))).toBe(expected)
  })

  it.each([
    ['nothing.of.this == 1', 'Unknown variable: nothing'],
    ['constructor == "y"', 'Unknown variable: constructor'],
    ['spec.missing == 1', 'No such key: missing'],
    ['self.spec.missing == 1', 'No such key: missing'],
    ['metadata.labels["a"] == "b"', 'No such key: labels'],
    ['status.count + "x" == "y"', 'no such overload'],
    ['status.count / 0 == 1', 'division by zero'],
    ['status.phase.matches("(")', 'Invalid regular expression'],
    ['status.phase', 'the expression does not give true or false'],
  ])('that cannot be evaluated is a failure with its reason: %s', (current, why) => {
    const judge = compileRules([{ kind: 'Widget', current }])
    expect(judge(widget({ status: { phase: 'Running', count: 3 }, spec: { size: 1 } }))).toEqual({
      status: 'Failed',
      reason: 'RuleError',
      message: expect.stringContaining(`its readiness rule cannot be evaluated (${current}): ${why}`),
    })
  })

  it('says what it still misses', () => {
    const judge = compileRules([{ kind: 'Widget', current: 'status.phase == "Done"' }])
    expect(judge(widget())?.message).toBe('its readiness rule does not hold yet (Unknown variable: status)')
    expect(judge(widget({ status: {} }))?.message).toBe('its readiness rule does not hold yet (No such key: phase)')
  })

  it('is asked for progress first, then for failure, then for success', () => {
    const rule = { inProgress: 'status.busy', failed: 'status.broken', current: 'status.done' }
    const at = (status: Record<string, unknown>) => statusBy(rule, widget({ status }))
    expect(at({ busy: true, broken: true, done: true })).toBe('InProgress')
    expect(at({ broken: true, done: true })).toBe('Failed')
    expect(at({ done: true })).toBe('Current')
    expect(at({})).toBe('InProgress')
  })

  it('is not asked while the controller has not seen the spec', () => {
    expect(statusBy({ current: 'true' }, widget({ status: { observedGeneration: '1' } }))).toBe('InProgress')
    expect(statusBy({ current: 'true' }, widget({ status: { observedGeneration: '2' } }))).toBe('Current')
  })

  it('is not asked while the object is being deleted', () => {
    const object = widget()
    object.metadata.deletionTimestamp = '2026-01-01T00:00:00Z'
    expect(statusBy({ current: 'true' }, object)).toBe('Terminating')
  })

  it('speaks only about its kind, and its version where it names one', () => {
    const judge = compileRules([{ apiVersion: 'example.com/v2', kind: 'Widget', current: 'true' }])
    expect(judge(widget())).toBeUndefined()
    expect(judge({ ...widget(), apiVersion: 'example.com/v2' })?.status).toBe('Current')
    expect(judge({ ...widget(), apiVersion: 'example.com/v2', kind: 'Gadget' })).toBeUndefined()
  })

  it('that would never end is refused instead of being waited for', () => {
    const status = { text: `${'a'.repeat(60)}!` }
    const endless = '!status.text.matches("(a+)+$")'
    const error = failureOf(() => statusBy({ current: endless }, widget({ status })))
    expect(error).toMatchObject({ code: 'cel.invalid', details: { expression: endless } })
    expect(statusBy({ current: 'status.text.matches("^a+!$")' }, widget({ status }))).toBe('Current')
  })
})

describe('a rule of the object itself', () => {
  it('comes before the rules for its kind', () => {
    const judge = compileRules([{ kind: 'Widget', current: 'false' }])
    expect(judge(widget({}, { 'lading.dev/ready-when': 'true' }))?.status).toBe('Current')
  })

  it('may tell a failure alone, and leaves the rest to the usual rules', () => {
    const judge = compileRules([])
    const own = { 'lading.dev/failed-when': 'status.phase == "Broken"' }
    const broken = judge(widget({ status: { phase: 'Broken' } }, own))
    expect(broken).toMatchObject({ status: 'Failed', reason: 'RuleFailed' })
    expect(broken?.message).toContain('status.phase == "Broken"')
    const busy = { phase: 'Fine', conditions: [{ type: 'Ready', status: 'False', message: 'busy' }] }
    expect(judge(widget({ status: busy }, own))).toMatchObject({ status: 'InProgress', message: 'busy' })
    expect(judge(widget({ status: { phase: 'Fine' } }, own))?.status).toBe('Current')
  })

  it('that cannot be read names the annotation and the object', () => {
    const error = failureOf(() => compileRules([])(widget({}, { 'lading.dev/ready-when': 'status.' })))
    expect(error.code).toBe('cel.invalid')
    expect(error.details.place).toBe('Widget.example.com w: annotation lading.dev/ready-when')
  })
})

describe('expressions in the annotations of an object', () => {
  const messagesOf = (object: KubeObject): string[] => ruleMistakes(object).map(({ message }) => message)
  const settings = (annotations: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', annotations },
  })

  it('that name fields which the kind does not have are all told, with the place', () => {
    const own = { 'lading.dev/failed-when': 'nope.x', 'lading.dev/ready-when': 'true && spec.foo == 1' }
    const fields = 'self, apiVersion, kind, metadata, binaryData, data, immutable'
    expect(messagesOf(settings(own))).toEqual([
      `ConfigMap c: annotation lading.dev/failed-when: nope is not a field of the object (the expression can use ${fields}) at character 1: nope.x`,
      `ConfigMap c: annotation lading.dev/ready-when: spec is not a field of the object (the expression can use ${fields}) at character 9: true && spec.foo == 1`,
    ])
  })

  it('that end too early are quoted with the place', () => {
    expect(messagesOf(settings({ 'lading.dev/ready-when': 'data.a ==' }))).toEqual([
      'ConfigMap c: annotation lading.dev/ready-when: the expression is not complete at character 10: data.a ==',
    ])
  })

  it.each([
    'self.data.a == "1" && has(data.b)',
    'metadata.?labels.app.orValue("") == kind',
    'data.exists(key, key == "a") && type(data.a) == string',
    'cel.bind(settings, data, settings.a == "1")',
  ])('may name the fields of a built-in kind, and variables of their own: %s', (expression) => {
    expect(messagesOf(settings({ 'lading.dev/ready-when': expression }))).toEqual([])
  })

  it('reach a field that is called as a type of CEL through self', () => {
    const own = { 'lading.dev/ready-when': 'self.type == "Opaque"' }
    const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', annotations: own } }
    expect(messagesOf(secret)).toEqual([])
  })

  it('may name spec, status, data and the fields of an object of any other kind', () => {
    const own = { 'lading.dev/ready-when': 'spec.a == 1 && status.b && data.c && wheels == 4' }
    expect(messagesOf(widget({ wheels: 4 }, own))).toEqual([])
    expect(messagesOf(widget({}, own))).toHaveLength(1)
  })
})

describe('a rule that cannot be read', () => {
  it.each([
    ['status.phase ==', 15],
    ['status.conditions.exists(c, c.type == "Ready"', 45],
    ['unknownFunction(status)', 0],
    ['"text"', undefined],
    ['', undefined],
    [`"${'x'.repeat(5000)}" == ""`, undefined],
    [`${'('.repeat(200)}true${')'.repeat(200)}`, expect.any(Number)],
  ])('is refused with its place: %s', (failed, offset) => {
    const error = failureOf(() => compileRules([{ kind: 'Widget', current: 'true', failed }]))
    expect(error.code).toBe('cel.invalid')
    expect(error.details).toMatchObject({ place: 'rules[0].failed', expression: failed })
    expect(error.details.offset).toEqual(offset)
  })
})

function failureOf(run: () => unknown): LadingError {
  try {
    run()
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}
