import { expect, it, onTestFinished } from 'vitest'
import { startSandbox } from '../start.ts'

it('tells the sender of a body that is too large', async () => {
  const sandbox = await startSandbox({ tls: false })
  onTestFinished(() => sandbox.stop())
  const answer = await fetch(`${sandbox.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'large' }, data: { a: 'x'.repeat(4 * 1024 * 1024) } }),
  })
  expect(answer.status).toBe(413)
  expect(await answer.json()).toMatchObject({ kind: 'Status', reason: 'RequestEntityTooLarge' })
})
