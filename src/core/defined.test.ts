import { expect, expectTypeOf, it } from 'vitest'
import { defined } from './defined.ts'

it('leaves out what is undefined, and nothing else', () => {
  const fields = { name: 'a', tag: undefined as string | undefined, empty: '', none: null, zero: 0 }
  const kept = defined(fields)
  expect(Object.keys(kept)).toEqual(['name', 'empty', 'none', 'zero'])
  expectTypeOf(kept).toMatchTypeOf<{ name: string; tag?: string }>()
})
