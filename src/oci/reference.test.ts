import { describe, expect, it } from 'vitest'
import { isLadingError } from '../core/index.ts'
import { formatReference, parseReference, parseRegistry } from './reference.ts'

const digest = `sha256:${'a'.repeat(64)}`

describe('a reference', () => {
  it.each([
    ['oci://ghcr.io/team/app:v1', { registry: 'ghcr.io', repository: 'team/app', tag: 'v1' }],
    ['ghcr.io/team/app:v1', { registry: 'ghcr.io', repository: 'team/app', tag: 'v1' }],
    ['localhost/app', { registry: 'localhost', repository: 'app' }],
    ['oci://registry/app', { registry: 'registry', repository: 'app' }],
    ['127.0.0.1:5000/a/b', { registry: '127.0.0.1:5000', repository: 'a/b' }],
    ['oci://[::1]:5000/app:v1', { registry: '[::1]:5000', repository: 'app', tag: 'v1' }],
    [`oci://h.io/a@${digest}`, { registry: 'h.io', repository: 'a', digest }],
    [`oci://h.io/a:v1@${digest}`, { registry: 'h.io', repository: 'a', tag: 'v1', digest }],
    ['docker.io/nginx:1', { registry: 'docker.io', repository: 'library/nginx', tag: '1' }],
    ['oci://index.docker.io/a/b', { registry: 'docker.io', repository: 'a/b' }],
    ['h.io/a__b/c--d.e_f', { registry: 'h.io', repository: 'a__b/c--d.e_f' }],
  ])('is read from %s', (text, expected) => {
    const reference = parseReference(text)
    expect(reference).toEqual(expected)
    expect(parseReference(formatReference(reference))).toEqual(reference)
  })

  it.each([
    ['nginx', 'names no repository'],
    ['nginx:1', 'names no repository'],
    ['team/app', 'names no registry'],
    ['https://ghcr.io/a', 'begins with https://'],
    ['oci://ghcr.io', 'names no repository'],
    ['oci:///app', 'names no repository'],
    ['oci://h.io/App', 'repository name'],
    ['oci://h.io/a//b', 'repository name'],
    ['oci://h.io/../b', 'repository name'],
    ['oci://h.io/a___b', 'repository name'],
    ['oci://h.io/a:-x', 'tag'],
    ['oci://h.io/a:', 'tag'],
    ['oci://h.io/a@sha256:12', 'digest'],
    [`oci://h.io/a@md5:${'a'.repeat(32)}`, 'digest'],
    ['oci://h.io:0/a', 'port'],
    ['oci://h.io:70000/a', 'port'],
    ['oci://h_x.io/a', 'host'],
    ['oci://h.io/a\n', 'repository name'],
    [`oci://h.io/${'a'.repeat(256)}`, 'repository name'],
  ])('is refused: %j', (text, reason) => {
    const error = refusal(() => parseReference(text))
    expect(error).toContain(reason)
  })

  it.each([
    'oci://jane:hunter2@h.io/a',
    'jane:hunter2@h.io/a',
    'oci://h.io/a?token=hunter2',
    'oci://h.io/a#hunter2',
    'oci://jane:hun/hunter2@h.io/a',
    'https://jane:hunter2@h.io/a',
  ])('never shows a secret: %s', (text) => {
    expect(refusal(() => parseReference(text))).not.toContain('hunter2')
  })
})

describe('a registry to log in to', () => {
  it.each([
    ['ghcr.io', 'ghcr.io'],
    ['https://ghcr.io/', 'ghcr.io'],
    ['oci://127.0.0.1:5000', '127.0.0.1:5000'],
    ['index.docker.io', 'docker.io'],
  ])('is read from %s', (text, expected) => expect(parseRegistry(text)).toBe(expected))

  it.each(['ghcr.io/team', 'jane:hunter2@ghcr.io', '', 'a b'])('is refused: %j', (text) => {
    expect(refusal(() => parseRegistry(text))).not.toContain('hunter2')
  })
})

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isLadingError(error, 'oci.reference-invalid')) return error.message
    throw error
  }
  throw new Error('it was taken')
}
