import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { LadingEvent } from '../../core/index.ts'
import { printEvents } from './print-events.ts'

const ref = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'shop', name: 'web' }

it('progress goes to stderr line by line, nothing to stdout, and the result is handed on', async () => {
  let stderr = ''
  let stdout = ''
  const io = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    stdin: Readable.from([]),
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
  }
  expect(await printEvents(operation(), io)).toBe('done')
  expect(stdout).toBe('')
  expect(stderr).toBe(
    [
      'apply: 1 object (dry run)',
      '  Deployment.apps shop/web failed (dry run): spec.selector is immutable',
      '  Deployment.apps shop/web InProgress: 1 of 3 ready',
      'warning: Deployment.apps shop/web: deprecated',
      'uploading (3/7)',
      '',
    ].join('\n'),
  )
})

async function* operation(): AsyncGenerator<LadingEvent, string> {
  yield { type: 'stage-started', stage: 'apply', objects: 1, dryRun: true }
  yield {
    type: 'object',
    ref,
    action: 'failed',
    dryRun: true,
    reason: 'spec.selector is immutable',
    code: 'kube.immutable',
  }
  yield { type: 'status', ref, status: 'InProgress', message: '1 of 3 ready' }
  yield { type: 'warning', ref, message: 'deprecated' }
  yield { type: 'progress', message: 'uploading', done: 3, total: 7 }
  yield { type: 'stage-finished', stage: 'apply' }
  return 'done'
}
