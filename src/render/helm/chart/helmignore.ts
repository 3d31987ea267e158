import { LadingError, stringifyJson } from '../../../core/index.ts'
import { matchPath } from './match-path.ts'

interface Rule {
  readonly pattern: string
  readonly negated: boolean
  readonly onlyFolders: boolean
  /** A pattern without a slash is held against the last part of a path only. */
  readonly onlyBase: boolean
}

/** Decides by the lines of .helmignore which paths are left out; dot files of templates/ always are. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean

/** Reads .helmignore with Helm's rules, which are not git's: no `**`, and a `!` line excludes all that it does not match. */
export function readIgnoreRules(text: string): IgnoreRules {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const rules = [...lines, 'templates/.?*'].flatMap((line) => parseRule(line))
  return (path, isFolder) => ignores(rules, path, isFolder)
}

function parseRule(line: string): Rule[] {
  const raw = line.trim()
  if (raw === '' || raw.startsWith('#')) return []
  if (raw.includes('**')) throw badRule(raw, 'double-star (**) syntax is not supported')
  if (matchPath(raw, 'abc') === undefined) throw badRule(raw, 'syntax error in pattern')
  const negated = raw.startsWith('!')
  let pattern = negated ? raw.slice(1) : raw
  const onlyFolders = pattern.endsWith('/')
  if (onlyFolders) pattern = pattern.slice(0, -1)
  const rooted = pattern.startsWith('/')
  const onlyBase = !rooted && !pattern.includes('/')
  return [{ pattern: rooted ? pattern.slice(1) : pattern, negated, onlyFolders, onlyBase }]
}

function badRule(line: string, problem: string): LadingError {
  return new LadingError('chart.invalid', `.helmignore: ${problem}: ${stringifyJson(line)}`, { file: '.helmignore' })
}

function ignores(rules: readonly Rule[], path: string, isFolder: boolean): boolean {
  for (const rule of rules) {
    const matches = matchPath(rule.pattern, rule.onlyBase ? path.slice(path.lastIndexOf('/') + 1) : path) === true
    if (rule.negated) {
      if ((rule.onlyFolders && !isFolder) || !matches) return true
    } else if (matches && (!rule.onlyFolders || isFolder)) {
      return true
    }
  }
  return false
}
