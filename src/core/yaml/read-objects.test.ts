import { describe, expect, it } from 'vitest'
import { readObjects, readPlacedObjects } from './read-objects.ts'

describe('reading objects', () => {
  it('expands lists, also nested ones, and tells where each object stands', () => {
    const text = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: A, metadata: {name: a}}
- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: B, metadata: {generateName: b-}}]}
---
apiVersion: x.io/v1
kind: FooList
items: [{metadata: {name: c}}]
---
apiVersion: x.io/v1
kind: AllowList
metadata: {name: mine}
items: [one]
`
    expect(readPlacedObjects(text, { file: 'f.yaml' }).map(({ object, place }) => [object.kind, place])).toEqual([
      ['A', { file: 'f.yaml', document: 1, line: 2, field: 'items[0]' }],
      ['B', { file: 'f.yaml', document: 1, line: 2, field: 'items[1].items[0]' }],
      ['Foo', { file: 'f.yaml', document: 2, line: 8, field: 'items[0]' }],
      ['AllowList', { file: 'f.yaml', document: 3, line: 12 }],
    ])
  })

  it('keeps fields that nobody knows', () => {
    const text = 'apiVersion: x/v1\nkind: A\nmetadata: {name: a, odd: 1}\nodder: {null: ~}\n'
    expect(() => readObjects(text)).toThrow(expect.objectContaining({ code: 'yaml.syntax' }))
    expect(readObjects(text.replace('null', 'none'))).toEqual([
      { apiVersion: 'x/v1', kind: 'A', metadata: { name: 'a', odd: 1 }, odder: { none: null } },
    ])
  })

  it.for([
    ['kind: A\nmetadata: {name: a}', 'apiVersion', 'apiVersion is missing'],
    ['apiVersion: v1\nmetadata: {name: a}', 'kind', 'kind is missing'],
    ['apiVersion: v1\nkind: A', 'metadata', 'metadata is missing'],
    ['apiVersion: v1\nkind: A\nmetadata: []', 'metadata', 'metadata must be a map'],
    ['apiVersion: v1\nkind: A\nmetadata: {}', 'metadata.name', 'metadata.name is missing'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: 123}', 'metadata.name', 'must be a string, not a number: quote it'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: on}', 'metadata.name', 'must be a string, not a boolean: quote it'],
    ['apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: no}', 'metadata.namespace', 'not a boolean'],
    ['apiVersion: v1\nkind: List\nitems: [{kind: A}]', 'items[0].apiVersion', 'items[0].apiVersion is missing'],
    ['apiVersion: v1\nkind: List\nitems: [1]', 'items[0]', 'items[0] is no object'],
  ])('refuses %j', ([text, field, problem]) => {
    const error = expect.objectContaining({
      code: 'object.invalid',
      message: expect.stringContaining(problem!),
      details: { file: 'f.yaml', document: 2, line: 3, field },
    })
    expect(() => readObjects(`---\n---\n${text}`, { file: 'f.yaml' })).toThrow(error)
  })

  it('refuses a document that is no object', () => {
    expect(() => readObjects('just text')).toThrow(expect.objectContaining({ code: 'object.invalid' }))
  })
})
