import { fromBytes } from '../gotemplate/index.ts'
import { LadingError } from '../../core/index.ts'
import { matchPath } from './chart/match-path.ts'
import { splitManifests, trimSpace } from './manifests/split-manifests.ts'
import type { RenderedChart } from './render-chart.ts'

/** What of a rendering is printed. */
export interface WriteOptions {
  readonly includeCrds?: boolean
  readonly skipHooks?: boolean
  readonly skipTests?: boolean
  /** Only documents of these templates, patterns allowed, in this order. */
  readonly showOnly?: readonly string[]
}

/** The parts of a rendering that are printed. */
export type PrintedChart = Pick<RenderedChart, 'crds' | 'manifests' | 'hooks'>

/** Writes a rendering as `helm template` prints it, to the byte. */
export function writeTemplate(rendered: PrintedChart, options: WriteOptions = {}): string {
  const { objects, hooks } = documentsOf(rendered, options)
  const text = `${trimSpace(objects.map(document).join(''))}\n${hooks.map(document).join('')}`
  return options.showOnly === undefined || options.showOnly.length === 0 ? text : onlyShown(text, options.showOnly)
}

/** A rendering as `helm template --output-dir` writes it: by the path of each template, all that it gave. */
export function templateFiles(rendered: PrintedChart, options: WriteOptions = {}): Map<string, string> {
  const { objects, hooks } = documentsOf(rendered, options)
  const files = new Map<string, string>()
  for (const each of [...objects, ...hooks]) files.set(each.path, (files.get(each.path) ?? '') + document(each))
  return files
}

interface Document {
  readonly path: string
  readonly text: string
}

function documentsOf({ crds, manifests, hooks }: PrintedChart, options: WriteOptions) {
  const definitions: Document[] =
    options.includeCrds === true ? crds.map(({ name, data }) => ({ path: name, text: fromBytes(data) })) : []
  const shown = options.skipHooks === true ? [] : hooks
  return {
    objects: [...definitions, ...manifests],
    hooks: shown.filter(({ events }) => options.skipTests !== true || !events.includes('test')),
  }
}

function document({ path, text }: Document): string {
  return `---\n# Source: ${path}\n${text}\n`
}

function onlyShown(text: string, patterns: readonly string[]): string {
  const documents = splitManifests(text).map((each) => ({ each, path: /# Source: [^/]+\/(.+)/.exec(each)?.[1] }))
  return patterns
    .flatMap((pattern) => {
      const found = documents.filter(({ path }) => path !== undefined && matchPath(pattern, path) === true)
      if (found.length > 0) return found.map(({ each }) => `---\n${each}\n`)
      throw new LadingError('values.invalid', `could not find template ${pattern} in chart`, { template: pattern })
    })
    .join('')
}
