import { expect, it } from 'vitest'
import { jsonLog } from './log.ts'

it('a log writes a JSON line per message at or above its level', async () => {
  const lines: string[] = []
  const log = await jsonLog('info', { write: (line) => lines.push(line) })
  log.debug('hidden')
  log.info('applied', { name: 'web' })
  log.error('broken')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 30, msg: 'applied', name: 'web' },
    { level: 50, msg: 'broken' },
  ])
})
