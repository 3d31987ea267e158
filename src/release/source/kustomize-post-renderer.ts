import { join, parse, relative, resolve } from 'node:path'
import { isRecord, LadingError, stringifyJson } from '../../core/index.ts'
import { decodeText, parseYamlValue } from '../../core/yaml/index.ts'
import { buildKustomization, folderTree, overlayTree, renderYaml } from '../../render/kustomize/index.ts'

const rendered = '.lading-rendered.yaml'
const names = ['kustomization.yaml', 'kustomization.yml', 'Kustomization']

/** Passes rendered documents through the kustomization of a folder, as one more of its resources; nothing is written there. */
export function kustomizePostRenderer(path: string): (stream: string) => string {
  const folder = resolve(path)
  const { root } = parse(folder)
  const disk = folderTree(root)
  const inTree = disk.resolve(join('/', relative(root, folder)))?.path
  const file = names.map((name) => join(inTree ?? '', name)).find((name) => disk.resolve(name)?.kind === 'file')
  if (inTree === undefined || file === undefined) {
    throw new LadingError('file.not-found', `${path} holds no kustomization to post-render with`, { file: path })
  }
  const kustomization = parseYamlValue(decodeText(disk.read(disk.resolve(file)?.path ?? file), file), { file })
  if (!isRecord(kustomization)) {
    throw new LadingError('kustomize.invalid', `${file} is no map of fields`, { file })
  }
  const { resources = [] } = kustomization
  const text = stringifyJson({ ...kustomization, resources: [rendered, ...(resources as unknown[])] })
  return (stream) => {
    const files = new Map([
      [file, Buffer.from(text)],
      [join(inTree, rendered), Buffer.from(stream)],
    ])
    return renderYaml(buildKustomization(overlayTree(disk, files), inTree, { reorder: 'none' }))
  }
}
