import { describe, expect, it } from 'vitest'
import type { FieldConflict, KubeObject, ManagedFieldsEntry } from '../../core/index.ts'
import { refOf } from '../../core/index.ts'
import { findConflicts, decideConflicts, matchesPattern, withoutFields } from './conflicts.ts'

const apiVersion = 'apps/v1'
const entry = (manager: string, fieldsV1: object, rest: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion,
  fieldsV1: fieldsV1 as Record<string, unknown>,
  ...rest,
})
const replicas = { 'f:spec': { 'f:replicas': {} } }
const object = (spec: object, managedFields?: ManagedFieldsEntry[]): KubeObject => ({
  apiVersion,
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', ...(managedFields && { managedFields }) },
  spec,
})
const ref = refOf(object({}))
const conflict = (path: string, manager = 'other'): FieldConflict => ({ path, manager, ours: 1, theirs: 2 })

describe('findConflicts', () => {
  it('names every owner of a path but ourselves', () => {
    const live = object({ replicas: 3 }, [
      entry('lading', replicas, { operation: 'Apply' }),
      entry('kubectl', replicas, { subresource: 'scale' }),
      entry('lading', replicas),
      entry('else', { 'f:spec': { 'f:paused': {} } }),
    ])
    const found = findConflicts(object({ replicas: 1 }), live, ['.spec.replicas', '.spec.replicas'], 'lading')
    const common = { operation: 'Update', apiVersion, path: '.spec.replicas', ours: 1, theirs: 3 }
    expect(found).toEqual([
      { manager: 'kubectl', subresource: 'scale', ...common },
      { manager: 'lading', ...common },
    ])
  })

  it('keeps the values where the owner wrote in another version under another path', () => {
    const old = { 'f:spec': { 'f:count': {} } }
    const live = object({ replicas: 3 }, [entry('legacy', old, { apiVersion: 'apps/v1beta1' })])
    const [found] = findConflicts(object({ replicas: 1 }), live, ['.spec.replicas'], 'lading')
    expect(found).toMatchObject({ manager: 'legacy', ours: 1, theirs: 3 })
  })

  it('says unknown rather than guess an owner', () => {
    const [found] = findConflicts(object({ replicas: 1 }), object({ replicas: 3 }, []), ['.spec.replicas'], 'lading')
    expect(found).toEqual({ manager: 'unknown', path: '.spec.replicas', ours: 1, theirs: 3 })
  })

  it('masks what kubectl remembers of a Secret too', () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration'
    const secret = (value: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'key', annotations: { [name]: value } },
    })
    const [found] = findConflicts(secret('ours'), secret('theirs'), [`.metadata.annotations.${name}`], 'lading')
    expect(found?.ours).toMatch(/^\*\*\*/)
    expect(found?.theirs).toMatch(/^\*\*\*/)
  })
})

describe('decideConflicts', () => {
  it('leaves everything undecided, or takes everything', () => {
    const all = [conflict('.spec.replicas'), conflict('.spec.paused')]
    expect(decideConflicts(all, 'fail', ref).undecided).toEqual(all)
    expect(decideConflicts(all, 'force', ref).ours).toEqual(all)
  })

  it('takes the first rule that fits path, manager and kind', () => {
    const rules = [
      { path: '.spec.replicas', kind: 'StatefulSet', take: 'ours' },
      { path: '.spec.replicas', manager: 'kubectl*', take: 'theirs' },
      { path: 'spec.*', kind: 'Deployment.apps', take: 'ours' },
    ] as const
    const [scaled, paused, label] = [
      conflict('.spec.replicas', 'kubectl-edit'),
      conflict('.spec.paused'),
      conflict('.metadata.labels.a'),
    ]
    const verdict = decideConflicts([scaled, paused, label], rules, ref)
    expect(verdict).toEqual({ theirs: [scaled], ours: [paused], undecided: [label] })
  })

  it('leaves a path to all of its owners once it is left to one', () => {
    const rules = [
      { path: '.spec.replicas', manager: 'hpa', take: 'theirs' },
      { path: '.spec.replicas', take: 'ours' },
    ] as const
    const both = [conflict('.spec.replicas', 'hpa'), conflict('.spec.replicas', 'kubectl')]
    const expected = { theirs: both.slice(0, 1), ours: [], undecided: [] }
    expect(decideConflicts(both, rules, ref)).toEqual(expected)
    expect(decideConflicts(both, rules.slice(0, 1), ref)).toEqual(expected)
  })
})

describe('withoutFields', () => {
  it('drops what is left to others and nothing else', () => {
    const desired = object({ replicas: 1, template: { spec: { containers: [{ name: 'a', image: 'x' }] } } })
    const paths = ['.spec.replicas', '.spec.template.spec.containers[name="a"].image', '.spec.gone']
    expect(
      withoutFields(
        desired,
        paths.map((path) => conflict(path)),
      )['spec'],
    ).toEqual({
      template: { spec: { containers: [{ name: 'a' }] } },
    })
  })
})

describe('matchesPattern', () => {
  it.each([
    ['.spec.replicas', '.spec.replicas', true],
    ['.spec.replicas', '.spec', false],
    ['.metadata.annotations.a.b/c', '.metadata.annotations.*', true],
    ['.spec.ports[port=80,protocol="TCP"].nodePort', '.spec.ports[*].nodePort', true],
    ['.spec.ports[port=80].name', '.spec.ports[*].nodePort', false],
    ['abc', 'a*b*c', true],
    ['ac', 'a*b*c', false],
    ['aba', 'ab*ba', false],
    ['', '*', true],
  ])('%s fits %s: %s', (text, pattern, fits) => {
    expect(matchesPattern(text, pattern)).toBe(fits)
  })
})
