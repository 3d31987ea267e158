import { isRecord, LadingError } from '../../../core/index.ts'
import { parseDocuments, writeYaml } from '../../../core/yaml/index.ts'
import { isPartial } from './sort-manifests.ts'
import { trimSpace } from './split-manifests.ts'

const fileAnnotation = 'postrenderer.helm.sh/postrender-filename'

/**
 * Hands all rendered documents to a function as one stream and sorts what it gives back into their files, by an annotation
 * that names the file and that Helm uses too. What comes without it is a file of its own.
 */
export function postRenderFiles(
  files: ReadonlyMap<string, string>,
  postRender: (stream: string) => string,
): Map<string, string> {
  const paths = [...files.keys()].filter((path) => !isPartial(path) && trimSpace(files.get(path)!) !== '').sort()
  const documents = paths.flatMap((path) => annotated(files.get(path)!, path))
  const given = postRender(documents.map((document) => writeYaml(document)).join('---\n'))
  const sorted = new Map<string, string[]>()
  for (const [index, { value }] of parse(given, 'post-rendered output').entries()) {
    if (value === null) continue
    const path = takeAnnotation(value) ?? `generated-by-postrender-${index}.yaml`
    sorted.set(path, [...(sorted.get(path) ?? []), writeYaml(value)])
  }
  return new Map([...sorted].map(([path, texts]) => [path, texts.join('---\n')]))
}

function annotated(text: string, path: string): unknown[] {
  return parse(text, path).flatMap(({ value }) => {
    if (value === null) return []
    if (!isRecord(value)) throw new LadingError('chart.template', `error merging manifests: parsing ${path}: no object`)
    const metadata = isRecord(value['metadata']) ? value['metadata'] : {}
    const annotations = isRecord(metadata['annotations']) ? metadata['annotations'] : {}
    return [{ ...value, metadata: { ...metadata, annotations: { ...annotations, [fileAnnotation]: path } } }]
  })
}

function parse(text: string, file: string) {
  return parseDocuments(text.replaceAll(/^---(?=[^\s-])/gm, '---\n'), { file, lenient: true })
}

function takeAnnotation(value: unknown): string | undefined {
  const metadata = isRecord(value) ? value['metadata'] : undefined
  const annotations = isRecord(metadata) ? metadata['annotations'] : undefined
  if (!isRecord(metadata) || !isRecord(annotations)) return undefined
  const path = annotations[fileAnnotation]
  delete annotations[fileAnnotation]
  if (Object.keys(annotations).length === 0) delete metadata['annotations']
  return typeof path === 'string' ? path : undefined
}
