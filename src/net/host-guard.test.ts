import type { LookupFunction } from 'node:net'
import { expect, it, vi } from 'vitest'
import { LadingError } from '../core/index.ts'
import { openHostGuard, type ResolveName } from './host-guard.ts'
import type { NetFailure } from './failure.ts'
import { createNetwork } from './network.ts'

const { signal } = new AbortController()
const explain = ({ kind }: NetFailure) => new LadingError('repo.unsafe', kind)
const open = { address: '203.0.113.7', family: 4 }
const loopback = { address: '127.0.0.1', family: 4 }

it('a name is resolved once, and what was judged is what is connected to', async () => {
  const resolve = vi.fn<ResolveName>().mockResolvedValueOnce([open]).mockResolvedValue([loopback])
  const guard = openHostGuard(resolve)
  expect(await guard.isPrivate('rebinding.example')).toBe(false)
  expect(await lookedUp(guard.lookup('public'), 'rebinding.example')).toEqual([open])
  expect(await lookedUp(guard.lookup('any'), 'rebinding.example')).toEqual([open])
  expect(resolve).toHaveBeenCalledTimes(1)
})

it('a name that has one private address among others is not connected to', async () => {
  const guard = openHostGuard(async () => [open, loopback])
  await expect(lookedUp(guard.lookup('public'), 'mixed.example')).rejects.toMatchObject({
    code: 'LADING_FORBIDDEN_ADDRESS',
  })
  expect(await guard.isPrivate('mixed.example')).toBe(true)
})

it('a name that cannot be resolved is tried again the next time', async () => {
  const resolve = vi.fn<ResolveName>().mockRejectedValueOnce(new Error('gone')).mockResolvedValue([open])
  const guard = openHostGuard(resolve)
  await expect(lookedUp(guard.lookup('any'), 'late.example')).rejects.toThrow('gone')
  expect(await lookedUp(guard.lookup('any'), 'late.example')).toEqual([open])
})

it('only addresses of the family that is asked for are given', async () => {
  const both = [open, { address: '2001:db8::1', family: 6 }]
  expect(await lookedUp(openHostGuard(async () => both).lookup('public'), 'x', 6)).toEqual([both[1]])
  await expect(lookedUp(openHostGuard(async () => [open]).lookup('any'), 'x', 6)).rejects.toMatchObject({
    code: 'ENOTFOUND',
  })
})

it.each(['2002:7f00:1::', '::127.0.0.1', 'fec0::1', 'fe80::1%lo', '169.254.169.254'])(
  'a guarded request to a name of the address %s is never sent',
  async (address) => {
    const family = address.includes(':') ? 6 : 4
    const network = createNetwork({ resolve: async () => [{ address, family }], env: {} }, explain)
    const request = { method: 'GET', url: new URL('http://inside.example/'), headers: {} } as const
    await expect(network.send(request, 'public', signal)).rejects.toMatchObject({ message: 'forbidden' })
    await network.close()
  },
)

function lookedUp(lookup: LookupFunction, host: string, family = 0): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, family }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)))
  })
}
