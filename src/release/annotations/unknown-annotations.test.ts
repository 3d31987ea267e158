import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../core/index.ts'
import { annotationWarnings } from './unknown-annotations.ts'

describe('a check that an object describes and does not ask for', () => {
  it.each(['lading.dev', 'sherpack.io'])('is warned of, with the prefix %s', (prefix) => {
    expect(annotationWarnings(withAnnotations({ [`${prefix}/health-check-url`]: 'https://shop.example/' }))).toEqual([
      `annotation ${prefix}/health-check-url has no effect without health-check: "true"`,
    ])
  })

  it.each(['true', 'false'])('is not warned of where health-check is %s', (asked) => {
    const check = { 'lading.dev/health-check': asked, 'lading.dev/health-check-port': '80' }
    expect(annotationWarnings(withAnnotations(check))).toEqual([])
  })
})

function withAnnotations(annotations: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', annotations } }
}
