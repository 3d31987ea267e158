import { LadingError } from '../core/index.ts'

type Labels = Readonly<Record<string, string>>

/** Reads a selector of labels by equality, as kubectl has it: `a=b`, `a!=b`, `a` and `!a`, all of which have to hold. */
export function parseSelector(text: string): (labels: Labels | undefined) => boolean {
  const parts = text.split(',').map((part) => part.trim())
  const tests = parts.map((part) => parsePart(part, text))
  return (labels = {}) => tests.every((test) => test(labels))
}

function parsePart(part: string, text: string): (labels: Labels) => boolean {
  const match = /^(!?)([\w./-]+)(?:\s*(==?|!=)\s*([\w.-]*))?$/.exec(part)
  const [, not = '', key = '', sign, value = ''] = match ?? []
  if (match === null || (not !== '' && sign !== undefined)) {
    throw new LadingError('usage.invalid', `${text} is no selector: write key=value, key!=value, key or !key`, { text })
  }
  if (sign === undefined) return (labels) => Object.hasOwn(labels, key) === (not === '')
  return (labels) => (labels[key] === value) === (sign !== '!=')
}
