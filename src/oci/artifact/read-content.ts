import { createHash } from 'node:crypto'
import { type KubeObject, LadingError } from '../../core/index.ts'
import type { ArchiveFile } from '../../core/tar/index.ts'
import { decodeText, readObjects } from '../../core/yaml/index.ts'
import { isGzip, isZstd } from '../archive/decompress.ts'
import { unpackTar } from '../archive/unpack-tar.ts'
import type { Descriptor } from '../descriptor.ts'
import { decryptAge, isAge } from '../encryption/age.ts'
import { readChartMetadata } from './chart-metadata.ts'
import type { ArtifactFormat } from './media-types.ts'
import { type ArtifactMetadata, ociAnnotations } from './metadata.ts'
import { refuseDuplicates } from './objects-yaml.ts'
import type { ArtifactLimits, PulledArtifact } from './pull-artifact.ts'

/** A fetched layer and what is known about it. */
export interface FetchedContent {
  readonly format: ArtifactFormat
  readonly layer: Descriptor
  readonly packed: Uint8Array
  /** Further layers with manifests. */
  readonly others: readonly { readonly layer: Descriptor; readonly packed: Uint8Array }[]
  readonly metadata: ArtifactMetadata
  readonly identities: readonly string[]
  readonly limits: ArtifactLimits
}

type ReadContent = Pick<PulledArtifact, 'content' | 'files' | 'objects' | 'yaml'>

/** Reads the files and objects of a layer. */
export async function readContent(fetched: FetchedContent): Promise<ReadContent> {
  const { format, layer, packed, limits } = fetched
  switch (format) {
    case 'kustomizer':
    case 'lading':
      return readAllYaml(fetched)
    case 'helm': {
      const files = await unpackTar(packed, { limits })
      // Sherpack pushes packs under the media types of charts.
      if (files.has('Pack.yaml')) return { content: 'tree', files, objects: [], yaml: '' }
      readChartMetadata(files)
      return { content: 'chart', files, objects: [], yaml: '' }
    }
    case 'raw':
      return readTree(rawFiles([fetched, ...fetched.others]), limits)
    case 'flux':
    case 'tar': {
      // `flux push artifact` writes one file without packing it.
      const isPacked = format === 'tar' || isGzip(packed) || isZstd(packed)
      if (!isPacked) return readTree(new Map([[titleOf(layer), { content: packed }]]), limits)
      refuseOtherFile(layer, packed)
      return readTree(await unpackTar(packed, { limits, symlinks: format === 'flux' ? 'skip' : 'refuse' }), limits)
    }
  }
}

/** The one file of kustomizer, plain or encrypted, held to the checksum that the manifest gives for the plain text. */
async function readAllYaml({ packed, metadata, identities, limits }: FetchedContent): Promise<ReadContent> {
  const unpacked = await unpackTar(packed, { limits })
  const expected = metadata.encrypted ? 'all.yaml.age' : 'all.yaml'
  const file = unpacked.get(expected)
  if (file === undefined || unpacked.size !== 1) {
    const found = [...unpacked.keys()].slice(0, 5).join(', ')
    throw new LadingError('artifact.invalid', `the artifact must hold ${expected} and nothing else; it holds ${found}`)
  }
  if (!metadata.encrypted && isAge(file.content)) {
    throw new LadingError('artifact.invalid', 'the artifact is encrypted, and its annotations do not say so')
  }
  const content = metadata.encrypted ? await decryptAge(file.content, identities) : file.content
  const checksum = createHash('sha256').update(content).digest('hex')
  if (checksum !== metadata.checksum) {
    const message = `the YAML of the artifact has the checksum ${checksum}, its annotation says ${metadata.checksum}`
    throw new LadingError('artifact.checksum', message, { checksum, expected: metadata.checksum })
  }
  return readTree(new Map([['all.yaml', { content, ...(file.mode === undefined ? {} : { mode: file.mode }) }]]), limits)
}

/** Files by the names that oras gives them. */
function rawFiles(layers: readonly Pick<FetchedContent, 'layer' | 'packed'>[]): Map<string, ArchiveFile> {
  const files = new Map<string, ArchiveFile>()
  for (const [index, { layer, packed }] of layers.entries()) {
    const name = titleOf(layer, index === 0 ? 'manifest.yaml' : `manifest-${index + 1}.yaml`)
    if (files.has(name)) throw new LadingError('artifact.invalid', `two layers of the artifact are named ${name}`)
    files.set(name, { content: packed })
  }
  return files
}

/** Says what it is where oras pushed some file as it is: its default media type is that of a tar. */
function refuseOtherFile(layer: Descriptor, packed: Uint8Array): void {
  const title = layer.annotations?.[ociAnnotations.title]
  const isTar =
    isGzip(packed) || isZstd(packed) || Buffer.from(packed.subarray(257, 262)).toString('latin1') === 'ustar'
  if (isTar || title === undefined) return
  const message = `the artifact is the file ${JSON.stringify(title.slice(0, 200))}, which is neither YAML nor a tar archive`
  throw new LadingError('artifact.invalid', message, { title: title.slice(0, 200) })
}

function readTree(files: ReadonlyMap<string, ArchiveFile>, limits: ArtifactLimits): ReadContent {
  const names = [...files.keys()].sort()
  if (names.some((name) => rendered.test(name))) return { content: 'tree', files, objects: [], yaml: '' }
  const objects: KubeObject[] = []
  const texts: string[] = []
  for (const name of names.filter((name) => manifestFile.test(name) && !hidden.test(name))) {
    const text = decodeText(files.get(name)?.content ?? new Uint8Array(), name)
    objects.push(...readObjects(text, { file: name }))
    if (objects.length > limits.objects) {
      throw new LadingError('input.too-large', `the artifact has more than ${limits.objects} objects`)
    }
    texts.push(text)
  }
  if (objects.length === 0) throw new LadingError('artifact.invalid', 'the artifact holds no objects')
  refuseDuplicates(objects)
  const [only = '', ...more] = texts
  const yaml = more.length === 0 ? only : texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('---\n')
  return { content: 'objects', files, objects, yaml }
}

/** A folder with one of these is no set of objects but is to be built. */
const rendered = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization|Chart\.yaml|Pack\.yaml)$/
const manifestFile = /\.ya?ml$/
/** Settings of editors and build services, which Flux leaves out too. */
const hidden = /(?:^|\/)\./

function titleOf(layer: Descriptor, fallback = 'manifest.yaml'): string {
  const title = layer.annotations?.[ociAnnotations.title] ?? ''
  // A title is what a stranger wrote; only one that is a plain path of a manifest is taken.
  return /^(?:[A-Za-z0-9_][\w.-]{0,100}\/){0,8}[A-Za-z0-9_][\w.-]{0,200}\.ya?ml$/.test(title) ? title : fallback
}
