import { context, type LadingEvent } from '../../core/index.ts'
import type { ReleaseEngine } from '../engine.ts'
import { install, rollback, upgrade } from '../run/operations.ts'
import { uninstall } from '../run/uninstall.ts'
import { type CrashContent, crashContent } from './crash-content.ts'

/** The operations that are cut short. */
export const crashOperations = ['install', 'upgrade', 'rollback', 'uninstall'] as const

/** One of them. */
export type CrashOperation = (typeof crashOperations)[number]

/** Brings a release to where an operation starts from. */
export async function prepare(
  engine: ReleaseEngine,
  kind: CrashContent,
  namespace: string,
  operation: CrashOperation,
): Promise<void> {
  if (operation === 'install') return
  await operate(engine, kind, namespace, 'install')
  if (operation === 'rollback') await operate(engine, kind, namespace, 'upgrade')
}

/** Carries an operation out. */
export async function operate(
  engine: ReleaseEngine,
  kind: CrashContent,
  namespace: string,
  operation: CrashOperation,
): Promise<void> {
  const ctx = context()
  const release = { name: 'shop', namespace }
  switch (operation) {
    case 'install':
      return await drain(install(engine, crashContent(kind, namespace, 'one'), {}, ctx))
    case 'upgrade':
      return await drain(upgrade(engine, crashContent(kind, namespace, 'two'), {}, ctx))
    case 'rollback':
      return await drain(rollback(engine, release, 1, {}, ctx))
    case 'uninstall':
      return await drain(uninstall(engine, release, {}, ctx))
  }
}

async function drain(operation: AsyncGenerator<LadingEvent, unknown>): Promise<void> {
  for await (const _ of operation) {
    // Only the outcome matters here.
  }
}
