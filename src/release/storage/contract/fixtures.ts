import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type ErrorCode, isLadingError } from '../../../core/index.ts'
import type { ReleaseRecord } from '../../record/record.ts'
import type { StoreCase } from '../contract.ts'

/** A record of the case with everything that a record can hold. */
export function record(c: Pick<StoreCase, 'name' | 'namespace'>, fields: Partial<ReleaseRecord> = {}): ReleaseRecord {
  const configMap = { group: '', version: 'v1', kind: 'ConfigMap', namespace: c.namespace, name: 'settings' }
  return {
    name: c.name,
    namespace: c.namespace,
    version: 1,
    state: { status: 'deployed' },
    pack: { type: 'manifest', name: 'shop', version: '1.4.2', origin: './shop', digest: `sha256:${'a'.repeat(64)}` },
    values: { replicas: 3, greeting: 'Grüß Gott 👋', ids: [9007199254740993n, -1], empty: null, nested: { on: 'yes' } },
    userValues: { replicas: 3 },
    valuesProvenance: { sources: { replicas: 'command-line', greeting: 'pack-default' } },
    manifest: manifest('settings', 'one: |\n    -----BEGIN CERTIFICATE-----\n    ---\n    text\n'),
    hooks: [
      {
        object: {
          apiVersion: 'batch/v1',
          kind: 'Job',
          metadata: { name: 'migrate', annotations: { 'helm.sh/hook': 'pre-upgrade' } },
          spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers: [] } } },
        },
        phases: ['pre-upgrade'],
        weight: -5,
        path: 'hooks/migrate.yaml',
        lastRun: { phase: 'Succeeded', startedAt: '2026-01-02T03:04:05Z', completedAt: '2026-01-02T03:04:09Z' },
      },
    ],
    inventory: [{ ref: configMap, hash: 'sha256:1', resourceVersion: '17', uid: 'b1f2' }],
    labels: { team: 'shop' },
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:05:00.000Z',
    notes: 'Visit the shop.',
    description: 'Install complete',
    ...fields,
  }
}

/** A record whose encoded text has about so many bytes, whatever the compression. */
export function largeRecord(
  c: Pick<StoreCase, 'name' | 'namespace'>,
  bytes: number,
  fields: Partial<ReleaseRecord> = {},
): ReleaseRecord {
  const noise = randomBytes(Math.ceil(bytes * 0.75)).toString('base64')
  return record(c, { manifest: manifest('noise', `text: ${noise}\n`), ...fields })
}

/** Fails unless the store gives the record; what a store adds to it is its own. */
export function assertSame(actual: ReleaseRecord | undefined, expected: ReleaseRecord): void {
  assert.ok(actual, 'the record is not there')
  const picked = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key as keyof ReleaseRecord]]))
  assert.deepEqual(picked, expected)
}

/** Fails unless the work fails with the code. */
export async function assertCode(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(isLadingError(error), `${String(error)} is no LadingError`)
    assert.equal(error.code, code, error.message)
    return true
  })
}

function manifest(name: string, data: string): string {
  const second = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}-token\n`
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  ${data}---\n${second}`
}
