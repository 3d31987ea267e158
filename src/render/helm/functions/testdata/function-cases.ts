import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'

/** What an expression prints, or the end of the error that it causes. */
export type Outcome = { readonly output: string } | { readonly error: string }

/** Expressions about one family of functions. */
export interface CaseFile {
  readonly family: string
  readonly expressions: readonly string[]
}

interface Written {
  /** An expression on each line. */
  readonly cases?: string
  /** Every combination: `$1` is an item of the first list, and so on. */
  readonly products?: readonly { readonly template: string; readonly with: readonly (readonly string[])[] }[]
}

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Where the values stand that expressions look into. */
export const valuesFile = join(folder, 'values.yaml')

/** Every file of expressions. */
export function caseFiles(): CaseFile[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'values.yaml')
  return files.sort().map((name) => {
    const written = load(readFileSync(join(folder, name), 'utf8')) as Written
    const lines = (written.cases ?? '').split('\n').filter((line) => line.trim() !== '')
    const products = (written.products ?? []).flatMap((product) => combine(product.template, product.with))
    return { family: basename(name, '.yaml'), expressions: [...new Set([...lines, ...products])] }
  })
}

/** Where the outcomes of a family stand, as the real helm gave them. */
export function expectedFile(family: string): string {
  return join(folder, 'expected', `${family}.json`)
}

/** The outcomes of a family by expression. */
export function expectedOutcomes(family: string): Record<string, Outcome> {
  return JSON.parse(readFileSync(expectedFile(family), 'utf8')) as Record<string, Outcome>
}

function combine(template: string, lists: readonly (readonly string[])[]): string[] {
  return lists.reduce<string[]>(
    (made, list, at) => made.flatMap((text) => list.map((item) => text.replaceAll(`$${at + 1}`, () => item))),
    [template],
  )
}
