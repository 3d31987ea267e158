import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { builtinSchema, schemaWithCrds, type SchemaNode } from '../../schema/index.ts'
import { openSandbox, type TestAnswer, type TestClient } from '../testing/sandbox-client.ts'
import { establish } from '../testing/widget-crd.ts'
import { checkRules } from './cel-rules.ts'

const group = 'limits.example.com'
const integers = { type: 'array', maxItems: 1400, items: { type: 'integer' } }
const pairs = 'self.a.all(x, self.b.all(y, x != y))'

let client: TestClient
beforeAll(async () => {
  client = await openSandbox()
  await establish(
    client,
    crd('burns', 'Burn', { a: integers, b: integers }, [
      { rule: pairs, message: 'no pair' },
      { rule: 'self.a.size() > 5000', message: 'never reached' },
    ]),
  )
  const item = {
    type: 'object',
    properties: { a: { ...integers, maxItems: 120 }, m: { type: 'integer' } },
    'x-kubernetes-validations': [
      { rule: 'self.a.all(x, self.a.all(y, x != y + 1000))', message: 'slow' },
      { rule: 'self.m > 0', message: 'positive' },
    ],
  }
  await establish(client, crd('totals', 'Total', { c: { type: 'array', maxItems: 100, items: item } }, []))
})
afterAll(() => client.stop())

function crd(plural: string, kind: string, properties: unknown, rules: unknown[]): KubeObject {
  const spec = { type: 'object', properties, ...(rules.length > 0 && { 'x-kubernetes-validations': rules }) }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

function numbers(length: number, from = 0): number[] {
  return Array.from({ length }, (_, index) => index + from)
}

function create(plural: string, kind: string, name: string, spec: unknown): Promise<TestAnswer> {
  const path = `/apis/${group}/v1/namespaces/default/${plural}`
  return client.request('POST', path, { apiVersion: `${group}/v1`, kind, metadata: { name }, spec })
}

// The numbers of items are those at which a kube-apiserver 1.35 changes its answer.
describe('rules in CEL that cost too much', () => {
  it('are ended after 1,000,000 steps, and the object is refused in the words of the API server', async () => {
    const { code, body } = await create('burns', 'Burn', 'over', { a: numbers(1000), b: numbers(166, 10_000) })
    expect(code).toBe(422)
    expect(body).toMatchObject({
      reason: 'Invalid',
      message:
        `Burn.${group} "over" is invalid: spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': ` +
        'no further validation rules will be run due to call cost exceeds limit for rule: no pair',
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec' }] },
    })
  })

  it('are checked to their end below that', async () => {
    const { code, body } = await create('burns', 'Burn', 'below', { a: numbers(1000), b: numbers(165, 10_000) })
    expect(code).toBe(422)
    expect(body['message']).toContain('never reached')
    expect(body['message']).not.toContain('cost')
  })

  it('end the check of an object after 10,000,000 steps in all', async () => {
    const c = Array.from({ length: 100 }, () => ({ m: -1, a: numbers(120) }))
    const { code, body } = await create('totals', 'Total', 'all', { c })
    expect(code).toBe(422)
    const { causes } = body['details'] as { causes: { field: string; message: string }[] }
    expect(causes).toHaveLength(99)
    expect(causes.slice(0, 98).map(({ field }) => field)).toEqual(numbers(98).map((index) => `spec.c[${index}]`))
    expect(causes[98]).toMatchObject({
      field: 'spec.c[98]',
      message:
        'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    })
  })

  it('leave the server at work: other requests are answered', async () => {
    const burning = numbers(5).map((index) =>
      create('burns', 'Burn', `b${index}`, { a: numbers(1400), b: numbers(1400, 10_000) }),
    )
    const other = await client.request('GET', '/version')
    expect(other.code).toBe(200)
    expect((await Promise.all(burning)).map(({ code }) => code)).toEqual([422, 422, 422, 422, 422])
  })
})

describe('the limits of a check', () => {
  it('end it after a time', () => {
    const value = { a: numbers(1400), b: numbers(1400, 10_000) }
    const rule = 'self.a.all(x, self.a.all(z, self.b.all(y, x != y)))'
    const limits = { perRule: Infinity, perObject: Infinity, timeMs: 20 }
    expect(checkRules(nodeWith([rule]), value, undefined, 'spec', limits)).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'spec',
        message:
          'Invalid value: "object": validation failed due to running out of time, no further validation rules will be run',
      },
    ])
  })

  it('are not met by a regular expression that would backtrack for ever', () => {
    const rule = 'self.text.matches("^(a+)+$")'
    const causes = checkRules(nodeWith([rule]), { text: `${'a'.repeat(5000)}b` }, undefined, 'spec')
    expect(causes.map(({ message }) => message)).toEqual([`Invalid value: failed rule: ${rule}`])
  })

  it('count the length of strings', () => {
    const limits = { perRule: 1000, perObject: 1000, timeMs: 5000 }
    const costs = (rule: string, value: unknown): boolean =>
      checkRules(nodeWith([rule]), value, undefined, 'spec', limits).length > 0
    expect(costs('self.text == self.text', { text: 'a'.repeat(100) })).toBe(false)
    expect(costs('self.text == self.text', { text: 'a'.repeat(10_000) })).toBe(true)
    expect(costs('self.text.contains(self.text)', { text: 'a'.repeat(100) })).toBe(false)
    expect(costs('self.text.contains(self.text)', { text: 'a'.repeat(400) })).toBe(true)
    expect(costs('[1, 2].all(x, {"a": x}.size() == 1)', {})).toBe(false)
  })
})

function nodeWith(rules: readonly string[]): SchemaNode {
  const properties = { a: integers, b: integers, text: { type: 'string' } }
  const definition = crd(
    'things',
    'Thing',
    properties,
    rules.map((rule) => ({ rule })),
  )
  const schema = schemaWithCrds(builtinSchema(), [definition])
  return schema.type({ group, version: 'v1', kind: 'Thing' })!.field('spec')!
}
