import { expect, it } from 'vitest'
import { expand } from './expand-vars.ts'

const values = new Map<string, string | number>([
  ['NAME', 'web'],
  ['PORT', 80],
])

it.each([
  ['$(NAME)', 'web'],
  ['$(PORT)', 80],
  ['http://$(NAME):$(PORT)/', 'http://web:80/'],
  ['$$(NAME)', '$(NAME)'],
  ['$(GONE)', '$(GONE)'],
  ['$(NAME', '$(NAME'],
  ['a$', 'a$'],
  ['$x', '$x'],
])('%s becomes %s', (text, expected) => {
  expect(expand(text, values)).toBe(expected)
})
