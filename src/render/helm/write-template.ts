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

/** Writes a rendering as `helm template` prints it, to the byte. */
export function writeTemplate(rendered: RenderedChart, options: WriteOptions = {}): string {
  const documents = rendered.manifests.map(({ path, text }) => document(path, text))
  const crds =
    options.includeCrds === true ? rendered.crds.map(({ name, data }) => document(name, fromBytes(data))) : []
  const hooks = options.skipHooks === true ? [] : rendered.hooks
  const shown = hooks.filter(({ events }) => options.skipTests !== true || !events.includes('test'))
  const text = `${trimSpace([...crds, ...documents].join(''))}\n${shown.map((hook) => document(hook.path, hook.text)).join('')}`
  return options.showOnly === undefined || options.showOnly.length === 0 ? text : onlyShown(text, options.showOnly)
}

function document(path: string, text: string): string {
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
