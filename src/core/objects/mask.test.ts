import { describe, expect, it } from 'vitest'
import { createMask, maskSecret, wholeObjectAnnotations } from './mask.ts'
import type { KubeObject } from './object.ts'

const secret: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'key',
    annotations: {
      ...Object.fromEntries(wholeObjectAnnotations.map((name) => [name, '{"data":{"a":"aHVudGVy"}}'])),
      note: 'kept',
    },
  },
  data: { a: 'aHVudGVy', b: 'aHVudGVy', c: 'b3RoZXI=' },
  stringData: { d: 'plain' },
  type: 'Opaque',
}

describe('maskSecret', () => {
  it('hides every value and shows which are the same', () => {
    const masked = maskSecret(secret, createMask())
    const { a, b, c } = masked['data'] as Record<string, string>
    expect(a).toBe(b)
    expect(a).not.toBe(c)
    expect(JSON.stringify(masked)).not.toMatch(/aHVudGVy|b3RoZXI|plain/)
    expect(masked.metadata.annotations?.['note']).toBe('kept')
    expect(masked['type']).toBe('Opaque')
  })

  it('gives another token under another key, so that tokens of two runs cannot be compared', () => {
    expect(createMask()('value')).not.toBe(createMask()('value'))
  })

  it('gives the same token under the same key', () => {
    const key = new Uint8Array(32)
    expect(createMask(key)('value')).toBe(createMask(key)('value'))
  })

  it('leaves the argument and other kinds alone', () => {
    const before = structuredClone(secret)
    maskSecret(secret, createMask())
    expect(secret).toEqual(before)
    const other = { apiVersion: 'example.com/v1', kind: 'Secret', metadata: { name: 'x' }, data: { a: 'b' } }
    expect(maskSecret(other, createMask())).toBe(other)
  })

  it('masks data that is no map', () => {
    const odd = { ...secret, data: 'aHVudGVy' }
    expect(JSON.stringify(maskSecret(odd, createMask()))).not.toContain('aHVudGVy')
  })
})
