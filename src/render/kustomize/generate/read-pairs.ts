import { basename } from 'node:path/posix'
import { LadingError, stringifyJson } from '../../../core/index.ts'
import type { GeneratorArgs } from '../load/arguments.ts'
import type { Loader } from '../load/loader.ts'

/** Reads the pairs of a generator: env files, then literals, then files; keys are unique. */
export function readPairs(args: GeneratorArgs, loader: Loader): Map<string, Uint8Array> {
  const pairs = new Map<string, Uint8Array>()
  const add = (key: string, value: Uint8Array): void => {
    if (pairs.has(key)) throw invalid(args, `illegally repeats the key ${key}`)
    pairs.set(key, value)
  }
  for (const path of args.envs) for (const [key, value] of readEnvFile(loader.load(path), args)) add(key, value)
  for (const literal of args.literals) add(...readLiteral(literal, args))
  for (const source of args.files) {
    const { key, path } = readFileSource(source, args)
    add(key, loader.load(path))
  }
  return pairs
}

function readLiteral(literal: string, args: GeneratorArgs): [string, Uint8Array] {
  const equals = literal.indexOf('=')
  // A literal may be a secret, so the message names its key at most.
  if (equals < 1) throw invalid(args, 'a literal is no key=value')
  const value = literal.slice(equals + 1)
  const quote = value[0]
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote)
  return [literal.slice(0, equals), Buffer.from(isQuoted ? value.slice(1, -1) : value)]
}

function readFileSource(source: string, args: GeneratorArgs): { key: string; path: string } {
  const parts = source.split('=')
  const [first = '', second = ''] = parts
  if (parts.length === 1) return { key: basename(source), path: source }
  if (parts.length > 2) throw invalid(args, `key name or file path of ${stringifyJson(source)} contains '='`)
  if (first === '') throw invalid(args, `missing key name in ${stringifyJson(source)}`)
  if (second === '') throw invalid(args, `missing file path in ${stringifyJson(source)}`)
  return { key: first, path: second }
}

function* readEnvFile(content: Uint8Array, args: GeneratorArgs): Generator<[string, Uint8Array]> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (error) {
    throw new LadingError(
      'kustomize.invalid',
      `generator ${args.name}: an env file is not UTF-8 text`,
      {},
      { cause: error },
    )
  }
  for (const raw of text.split('\n')) {
    const line = (raw.endsWith('\r') ? raw.slice(0, -1) : raw).trimStart()
    if (line === '' || line.startsWith('#')) continue
    const equals = line.indexOf('=')
    const key = equals < 0 ? line : line.slice(0, equals)
    yield [key, Buffer.from(equals < 0 ? '' : line.slice(equals + 1))]
  }
}

function invalid(args: GeneratorArgs, problem: string): LadingError {
  return new LadingError('kustomize.invalid', `generator ${args.name}: ${problem}`, { generator: args.name })
}
