import { define, type FunctionFamily } from '../define-function.ts'

const path: FunctionFamily = {
  base: define(['string'], base),
  dir: define(['string'], (name) => clean(name.slice(0, name.lastIndexOf('/') + 1))),
  clean: define(['string'], clean),
  ext: define(['string'], (name) => /\.[^./]*$/.exec(name)?.[0] ?? ''),
  isAbs: define(['string'], (name) => name.startsWith('/')),
}

/** Sprig's paths; those of the operating system are Unix's, wherever this runs. */
export const pathFunctions: FunctionFamily = {
  ...path,
  ...Object.fromEntries(
    Object.entries(path).map(([name, definition]) => [`os${name[0]!.toUpperCase()}${name.slice(1)}`, definition]),
  ),
}

function base(name: string): string {
  if (name === '') return '.'
  const trimmed = name.replace(/\/+$/, '')
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

function clean(name: string): string {
  const isRooted = name.startsWith('/')
  const kept: string[] = []
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isRooted) kept.push(part)
  }
  return (isRooted ? '/' : '') + kept.join('/') || '.'
}
