import { describe, expect, it } from 'vitest'
import type { StatusError } from '../../status-error.ts'
import { decodeProtobuf } from './decode-protobuf.ts'

describe('a protobuf body', () => {
  it('is the object that JSON would have said', () => {
    const labels = message([1, 'app'], [2, 'web'])
    const ports = message([3, 8080], [4, 'TCP'], [2, 0])
    const container = message([1, 'web'], [2, 'nginx'], [3, 'sh'], [3, '-c'], [6, ports])
    const volume = message([1, 'data'], [2, message([2, message()])])
    const template = message([2, message([1, volume], [2, container])])
    const spec = message([1, 0], [3, template], [7, false])
    expect(
      decodeProtobuf(body('apps/v1', 'Deployment', message([1, message([1, 'web'], [11, labels])], [2, spec]))),
    ).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        // A pointer, so zero is a choice; ports' hostPort and paused are not, and zero means nothing there.
        replicas: 0,
        template: {
          spec: {
            volumes: [{ name: 'data', emptyDir: {} }],
            containers: [
              { name: 'web', image: 'nginx', command: ['sh', '-c'], ports: [{ containerPort: 8080, protocol: 'TCP' }] },
            ],
          },
        },
      },
    })
  })

  it('keeps binary data as base64, and odd keys as keys', () => {
    const data = message([1, '__proto__'], [2, Buffer.from([0xff, 0x00])])
    const secret = decodeProtobuf(body('v1', 'Secret', message([2, data], [2, message([1, 'empty'])]))) as {
      data: Record<string, string>
    }
    expect(Object.entries(secret.data)).toEqual([
      ['__proto__', '/wA='],
      ['empty', ''],
    ])
  })

  it('reads quantities, times and numbers or strings', () => {
    const budget = message([1, message([1, 1], [2, 7], [3, '50%'])], [3, message([1, 0], [2, -1])])
    expect(decodeProtobuf(body('policy/v1', 'PodDisruptionBudget', message([2, budget])))).toMatchObject({
      spec: { minAvailable: '50%', maxUnavailable: -1 },
    })
    const quota = message([1, message([1, 'cpu'], [2, message([1, '1500m'])])])
    expect(decodeProtobuf(body('v1', 'ResourceQuota', message([2, quota])))).toMatchObject({
      spec: { hard: { cpu: '1500m' } },
    })
    const lease = message([3, message([1, 1_700_000_000], [2, 1_234_000])], [2, 15])
    const meta = message([8, message()], [9, message([1, 1_700_000_000])])
    const read = decodeProtobuf(body('coordination.k8s.io/v1', 'Lease', message([1, meta], [2, lease])))
    expect(read).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { deletionTimestamp: '2023-11-14T22:13:20Z' },
      spec: { acquireTime: '2023-11-14T22:13:20.001234Z', leaseDurationSeconds: 15 },
    })
  })

  it('reads the schemas of CustomResourceDefinitions', () => {
    const anything = message([38, true])
    const items = message([1, message([5, 'string'], [8, message([1, '"a"'])])])
    const property = (key: string, schema: Buffer): [number, Buffer] => [29, message([1, key], [2, schema])]
    const schema = message(
      [5, 'object'],
      property('list', message([5, 'array'], [24, items])),
      property('free', anything),
      property('map', message([30, message([1, false], [2, message([5, 'integer'], [11, 0.5])])])),
      property('closed', message([30, message([1, false])])),
    )
    const version = message([1, 'v1'], [2, true], [3, true], [4, message([1, schema])])
    const crd = decodeProtobuf(
      body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', message([2, message([7, version])])),
    )
    expect(crd).toMatchObject({
      spec: {
        versions: [
          {
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  list: { type: 'array', items: { type: 'string', default: 'a' } },
                  free: { 'x-kubernetes-preserve-unknown-fields': true },
                  map: { additionalProperties: { type: 'integer', minimum: 0.5 } },
                  closed: { additionalProperties: false },
                },
              },
            },
          },
        ],
      },
    })
  })

  it('may be the options of a deletion, whatever the group', () => {
    const options = message([1, 0], [2, message([1, 'some-uid'])], [4, 'Foreground'], [5, 'All'])
    expect(decodeProtobuf(body('apps/v1', 'DeleteOptions', options))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      preconditions: { uid: 'some-uid' },
      propagationPolicy: 'Foreground',
      dryRun: ['All'],
    })
  })

  it('skips fields that only a newer client knows', () => {
    expect(decodeProtobuf(body('v1', 'ConfigMap', message([1000, 'new'], [4, true])))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      immutable: true,
    })
  })

  it.each([
    ['is not protobuf', Buffer.from('{"kind":"ConfigMap"}')],
    ['ends too early', body('v1', 'ConfigMap', message([1, message([1, 'web'])])).subarray(0, -3)],
    ['is of a kind without a message', body('example.com/v1', 'Widget', message())],
    ['is nested without end', body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', deepSchema(1000))],
  ])('is refused with 400 when it %s', (_why, bytes) => {
    expect(() => decodeProtobuf(bytes)).toThrow(expect.objectContaining({ code: 400 }) as StatusError)
  })
})

type Value = string | number | boolean | Buffer

/** Encodes a message: numbers are integers, and doubles where they are broken. */
function message(...fields: [number, Value][]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => field(number, value)))
}

function field(number: number, value: Value): Buffer {
  if (typeof value === 'boolean') return Buffer.concat([varint(number * 8), varint(value ? 1 : 0)])
  if (typeof value === 'number' && !Number.isInteger(value)) {
    const double = Buffer.alloc(8)
    double.writeDoubleLE(value)
    return Buffer.concat([varint(number * 8 + 1), double])
  }
  if (typeof value === 'number') return Buffer.concat([varint(number * 8), varint(value)])
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

function body(apiVersion: string, kind: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, raw])])
}

function deepSchema(depth: number): Buffer {
  let schema = message([5, 'object'])
  for (let index = 0; index < depth; index++) schema = message([28, schema])
  return message([2, message([7, message([4, message([1, schema])])])])
}
