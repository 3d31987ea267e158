import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { context, type LadingEvent, manualClock } from '../../core/index.ts'
import { guardOutput } from './guard-output.ts'
import { showLive } from './live-view.ts'
import { emptyView, frameLines, noteEvent, summaryLine } from './view-frame.ts'

const plain = (text: string): string => text

it('shows how many objects are written and ready, and the ones at fault first', () => {
  const view = [
    started(3),
    object('a', 'created'),
    object('b', 'unchanged'),
    object('c', 'configured'),
    status('a', 'Current', ''),
    status('c', 'InProgress', '1 of 3 ready'),
  ].reduce(noteEvent, emptyView('upgrade web/shop'))
  expect(frameLines(view, { columns: 80, rows: 24, elapsedMs: 61_000 }, plain)).toEqual([
    'upgrade web/shop  3/3 objects  1/2 ready  workloads  1:01',
    '  Deployment.apps web/c  InProgress: 1 of 3 ready',
    '  Deployment.apps web/a  Current',
    '  Deployment.apps web/b  unchanged',
  ])
  expect(summaryLine(view, 5000)).toBe('upgrade web/shop: 1 created, 1 unchanged, 1 configured, 1 of 2 ready, 5 s')
})

it('fits a small terminal: long lines are cut, many objects are counted', () => {
  const events = Array.from({ length: 40 }, (_, index) => object(`object-${index}`, 'created'))
  const view = [started(40), ...events].reduce(noteEvent, emptyView('install web/shop'))
  const lines = frameLines(view, { columns: 30, rows: 8, elapsedMs: 0 }, plain)
  expect(lines).toHaveLength(6)
  expect(lines.at(-1)).toBe('  and 36 more')
  expect(lines.every((line) => line.length < 30)).toBe(true)
})

it('redraws in place by the clock, keeps warnings above, and ends in one line', async () => {
  const clock = manualClock()
  const ctx = context({ clock })
  let stderr = ''
  const io = guardOutput({
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => (stderr += text), isTTY: true, columns: 80, rows: 24 },
    stdin: Readable.from([]),
    env: { NO_COLOR: '1' },
    cwd: '/',
    signal: ctx.signal,
  })
  async function* operation(): AsyncGenerator<LadingEvent, string> {
    yield started(1)
    yield { type: 'warning', message: 'deprecated' }
    await clock.advance(2000)
    yield object('a', 'created')
    return 'done'
  }
  expect(await showLive(operation(), 'install web/shop', io, ctx)).toBe('done')
  expect(stderr).toContain('warning: deprecated\ninstall web/shop  0/1 objects  workloads  0 s\n')
  expect(stderr).toContain('\u001B[1A\u001B[0Jinstall web/shop  0/1 objects  workloads  2 s\n')
  expect(stderr.endsWith('\u001B[0Jinstall web/shop: 1 created, 2 s\n')).toBe(true)
})

function started(objects: number): LadingEvent {
  return { type: 'stage-started', stage: 'workloads', objects, dryRun: false }
}

function object(name: string, action: 'created' | 'unchanged' | 'configured'): LadingEvent {
  return { type: 'object', ref: refOf(name), action, dryRun: false }
}

function status(name: string, value: 'Current' | 'InProgress', message: string): LadingEvent {
  return { type: 'status', ref: refOf(name), status: value, message }
}

function refOf(name: string): Extract<LadingEvent, { type: 'object' }>['ref'] {
  return { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'web', name }
}
