import { describe, expect, it } from 'vitest'
import { parseYamlValue } from './parse-documents.ts'
import { writeDocuments, writeYaml } from './write-yaml.ts'

describe('written YAML', () => {
  it('is stable, keeps the order of keys and looks as people write it', () => {
    const object = {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'a', labels: {}, finalizers: [], skipped: undefined },
      data: {
        switch: 'on',
        mode: '0777',
        day: '2001-01-01',
        time: '12:30:45',
        'nginx.conf': 'server {\n  listen 80;\n}\n',
      },
      list: [{ name: 'web', args: ['--a', 'b c'] }, ['x', [1]], 1e21, 9007199254740993n, null, true, ''],
    }
    expect(writeYaml(object)).toBe(`kind: ConfigMap
apiVersion: v1
metadata:
  name: a
  labels: {}
  finalizers: []
data:
  switch: "on"
  mode: "0777"
  day: "2001-01-01"
  time: "12:30:45"
  nginx.conf: |
    server {
      listen 80;
    }
list:
- name: web
  args:
  - "--a"
  - b c
- - x
  - - 1
- 1.0e+21
- 9007199254740993
- null
- true
- ""
`)
    const { skipped: _, ...metadata } = object.metadata
    expect(parseYamlValue(writeYaml(object))).toEqual({ ...object, metadata })
  })

  it.for([2 ** 60, 2 ** 63, -(2 ** 63), 123456789012345670000, 1e300, 5e-324, -0.5])('keeps the number %d', (value) => {
    expect(Number(parseYamlValue(writeYaml(value)))).toBe(value)
  })

  it.for([
    'a\nb',
    'a\nb\n',
    'a\n\n',
    '\n a\n',
    '\tx\ny',
    'a\n \nb',
    '\n\n',
    'a\r\nb',
    ' a\nb',
    'a\u2028b\nc',
    'tail \nx',
  ])('keeps the text %j', (text) => {
    expect(parseYamlValue(writeYaml({ a: { b: text }, c: [text, [text]] }))).toEqual({
      a: { b: text },
      c: [text, [text]],
    })
    expect(parseYamlValue(writeYaml(text))).toBe(text)
  })

  it('separates documents', () => {
    expect(writeDocuments([{ a: 'x\n\n' }, { b: 1 }])).toBe('a: |+\n  x\n\n---\nb: 1\n')
  })

  it('refuses what JSON cannot hold', () => {
    expect(() => writeYaml({ a: Number.NaN })).toThrow(expect.objectContaining({ code: 'yaml.number' }))
  })
})
