import { stringifyJson } from '../../../core/index.ts'
import { globMatcher } from '../../helm/objects/glob.ts'
import type { FilterTable } from './filter.ts'
import { TemplateFailure, text } from './value.ts'

/** What templates see as `files`: the pack's own files, and nothing else. */
export function filesObject(files: ReadonlyMap<string, Uint8Array>): FilterTable {
  const find = (value: unknown, what: string) => files.get(cleanName(text(value, `files.${what}`)))
  const read = (value: unknown, what: string): Uint8Array => {
    const data = find(value, what)
    if (data === undefined) throw new TemplateFailure(`files.${what}: the pack has no file ${text(value, what)}`)
    return data
  }
  return {
    get: (path) => textOf(read(path, 'get'), path),
    get_bytes: (path) => [...read(path, 'get_bytes')],
    exists: (path) => find(path, 'exists') !== undefined,
    lines: (path) =>
      textOf(read(path, 'lines'), path)
        .replace(/\r?\n$/, '')
        .split(/\r?\n/),
    glob: (pattern) => {
      const matches = globMatcher(text(pattern, 'files.glob'))
      const found = [...files].filter(([path]) => matches(path)).sort(([a], [b]) => (a < b ? -1 : 1))
      return found.map(([path, data]) => ({
        path,
        name: path.slice(path.lastIndexOf('/') + 1),
        content: textOf(data, path),
        size: data.byteLength,
      }))
    },
  }
}

function cleanName(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) {
    throw new TemplateFailure(`${stringifyJson(path)} leads out of the pack`)
  }
  return path.replace(/^(?:\.\/)+/, '')
}

function textOf(data: Uint8Array, path: unknown): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    throw new TemplateFailure(`${String(path)} is no UTF-8 text`)
  }
}
