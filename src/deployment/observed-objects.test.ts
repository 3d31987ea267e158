import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/index.ts'
import { ObservedObjects } from './observed-objects.ts'

describe('observed objects', () => {
  it('keep what was written until the watch tells of something newer', () => {
    const { objects, shown } = observed()
    objects.seen('a', 'old', { uid: '1', resourceVersion: '5' })
    objects.wrote('a', 'written', { resourceVersion: '10' })
    objects.seen('a', 'late', { uid: '1', resourceVersion: '9' })
    expect(shown()).toEqual(['written'])
    objects.seen('a', 'newer', { uid: '1', resourceVersion: '11' })
    expect(shown()).toEqual(['newer'])
  })

  it('are gone when the watch says so of the same object, not of one before it', () => {
    const { objects, shown } = observed()
    objects.seen('a', 'first', { uid: '1', resourceVersion: '5' })
    objects.wrote('a', 'second', { uid: '2', resourceVersion: '8' })
    objects.gone('a', { uid: '1', resourceVersion: '7' })
    expect(shown()).toEqual(['second'])
    objects.gone('a', { uid: '2', resourceVersion: '8' })
    expect(shown()).toEqual([])
  })

  it('that were written and that no watch ever tells of are not kept for ever', async () => {
    const { objects, shown, clock } = observed()
    objects.wrote('a', 'written', { uid: '1', resourceVersion: '5' })
    objects.seen('b', 'other', { uid: '2', resourceVersion: '6' })
    expect(shown()).toEqual(['written', 'other'])
    await clock.advance(31_000)
    objects.seen('b', 'other', { uid: '2', resourceVersion: '7' })
    expect(shown()).toEqual(['other'])
  })
})

function observed() {
  const clock = manualClock(1_000_000)
  const objects = new ObservedObjects<string>(() => undefined, clock)
  return { objects, clock, shown: () => [...objects.values()] }
}
