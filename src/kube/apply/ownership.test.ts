import { describe, expect, it } from 'vitest'
import { keepPolicy, ownershipMismatch } from './ownership.ts'

describe('ownershipMismatch', () => {
  const guard = { labels: { 'app.kubernetes.io/managed-by': 'lading' }, annotations: { release: 'web' } }

  it('accepts an object that carries every label and annotation of the guard', () => {
    const meta = { labels: { 'app.kubernetes.io/managed-by': 'lading', extra: 'x' }, annotations: { release: 'web' } }
    expect(ownershipMismatch(meta, guard)).toBeUndefined()
  })

  it('names the label that is missing', () => {
    expect(ownershipMismatch({}, guard)).toBe('label app.kubernetes.io/managed-by is missing, expected lading')
  })

  it('names the annotation that differs and both values', () => {
    const meta = { labels: { 'app.kubernetes.io/managed-by': 'lading' }, annotations: { release: 'api' } }
    expect(ownershipMismatch(meta, guard)).toBe('annotation release is api, expected web')
  })

  it('accepts everything when the guard is empty', () => {
    expect(ownershipMismatch({}, {})).toBeUndefined()
  })
})

describe('keepPolicy', () => {
  it.each(['lading.dev/resource-policy', 'sherpack.io/resource-policy', 'helm.sh/resource-policy'])(
    'reads %s',
    (key) => {
      expect(keepPolicy({ annotations: { [key]: 'keep' } })).toBe(`${key}: keep`)
    },
  )

  it('lets the sherpack annotation win over the one of Helm', () => {
    const annotations = { 'sherpack.io/resource-policy': 'delete', 'helm.sh/resource-policy': 'keep' }
    expect(keepPolicy({ annotations })).toBeUndefined()
  })

  it('keeps nothing without an annotation', () => {
    expect(keepPolicy({})).toBeUndefined()
  })
})
