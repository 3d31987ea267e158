import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** A set of templates to execute, as the Go program of testbed/modules/gotemplate reads it. */
export interface TemplateCase {
  readonly templates: readonly { readonly name: string; readonly text: string }[]
  readonly execute: string
  readonly data: unknown
  readonly missingKey: 'default' | 'zero' | 'error'
}

/** What a case gives: what was printed, as base64, or the error. */
export type CaseResult = { readonly output: string } | { readonly error: string }

interface CaseFile {
  readonly data?: unknown
  readonly cases?: readonly (string | Readonly<Record<string, string>>)[]
  readonly values?: Readonly<Record<string, unknown>>
  readonly formats?: readonly string[]
}

/** Names of the files with cases. */
export const caseFiles = ['execute', 'set', 'parse', 'missing-key', 'format', 'format-args'] as const

/** The cases of a file. */
export function readCases(name: (typeof caseFiles)[number]): TemplateCase[] {
  const { data, cases = [], values = {}, formats = [] } = parse(readFileSync(pathOf(`${name}.yaml`), 'utf8')) as CaseFile
  const ways = name === 'missing-key' ? (['default', 'zero', 'error'] as const) : (['default'] as const)
  const listed = cases.flatMap((one) => ways.map((missingKey) => templateCase(one, data, missingKey)))
  const products = Object.entries(values).flatMap(([key, value]) =>
    formats.map((format) => templateCase(`{{printf ${JSON.stringify(format)} .${key}}}`, { [key]: value }, 'default')),
  )
  return [...listed, ...products]
}

/** What Go gave for the cases of a file, in their order. */
export function readExpected(name: (typeof caseFiles)[number]): CaseResult[] {
  return JSON.parse(readFileSync(pathOf(`${name}.expected.json`), 'utf8')) as CaseResult[]
}

/** Path of a file of this folder. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function templateCase(
  one: string | Readonly<Record<string, string>>,
  data: unknown,
  missingKey: TemplateCase['missingKey'],
): TemplateCase {
  const texts = typeof one === 'string' ? { a: one } : one
  return { templates: Object.entries(texts).map(([name, text]) => ({ name, text })), execute: 'a', data, missingKey }
}
