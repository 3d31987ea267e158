import { compareKinds } from './kind-order.ts'
import { hookOf, type ChartHook } from './chart-hook.ts'
import { type ManifestHead, readHead } from './manifest-head.ts'
import { splitManifests, trimSpace } from './split-manifests.ts'

/** One document that a template gave. */
export interface Manifest {
  /** The template, below the name of the chart. */
  readonly path: string
  readonly text: string
  readonly head: ManifestHead
}

/** What templates gave, hooks apart. */
export interface SortedManifests {
  readonly manifests: readonly Manifest[]
  readonly hooks: readonly ChartHook[]
}

/** Cuts rendered files into documents and sorts them in the order in which Helm installs and prints them. */
export function sortManifests(files: ReadonlyMap<string, string>, warn: (message: string) => void): SortedManifests {
  const manifests: Manifest[] = []
  const hooks: ChartHook[] = []
  for (const path of [...files.keys()].sort(byBytes)) {
    const text = files.get(path)!
    if (isPartial(path) || trimSpace(text) === '') continue
    for (const document of splitManifests(text)) {
      const manifest = { path, text: document, head: readHead(document, path) }
      if (!Object.hasOwn(manifest.head.annotations, 'helm.sh/hook')) manifests.push(manifest)
      else hooks.push(...hookOf(manifest, warn))
    }
  }
  manifests.sort((a, b) => compareKinds(a.head.kind, b.head.kind))
  hooks.sort((a, b) => compareKinds(a.kind, b.kind))
  return { manifests, hooks }
}

/** Whether a template only defines what others include. */
export function isPartial(path: string): boolean {
  return path.startsWith('_', path.lastIndexOf('/') + 1)
}

// Go sorts by bytes, which for UTF-8 is by code point.
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
