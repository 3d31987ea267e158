import { isLadingError } from '../../../core/index.ts'
import { applyFieldSpec, setScalar, type Slot } from '../config/apply-field-spec.ts'
import type { FieldSpec } from '../config/field-spec.ts'
import type { ResMap } from '../resource/res-map.ts'
import { compilePattern, type Pattern } from '../select/pattern.ts'
import { assign, isMap, isScalar, textOf, type Value } from '../yaml/value.ts'

/** What becomes of an image. */
interface ImageChange {
  readonly name: string
  readonly newName: string
  readonly newTag: string
  readonly tagSuffix: string
  readonly digest: string
}

// Digests of any algorithm, as OCI descriptors write them.
const tagAndDigest = '(:[a-zA-Z0-9_.{}-]*)?(@[a-zA-Z0-9]+([.+_-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?'

/** Changes name, tag or digest of images: of all containers wherever they stand, and of the specified fields. */
export function setImages(resources: ResMap, change: ImageChange, specs: readonly FieldSpec[]): void {
  const pattern = imagePattern(change.name)
  if (pattern === undefined) return
  const update = (slot: Slot): void => {
    const image = textOf(slot.get())
    if (pattern.test(image)) setScalar(slot, changed(image, change))
  }
  for (const resource of resources.resources) {
    if (resource.kind === 'CustomResourceDefinition') continue
    updateContainers(resource.node, change, pattern)
    for (const spec of specs) applyFieldSpec(resource, spec, undefined, update)
  }
}

// A name is a pattern to kustomize, and one that is none matches no image.
function imagePattern(name: string): Pattern | undefined {
  try {
    return compilePattern(`^${name}${tagAndDigest}$`, 'images.name')
  } catch (error) {
    if (isLadingError(error, 'kustomize.invalid')) return undefined
    throw error
  }
}

function updateContainers(value: Value, change: ImageChange, pattern: Pattern): void {
  if (Array.isArray(value)) for (const item of value) updateContainers(item, change, pattern)
  if (!isMap(value)) return
  for (const [key, field] of Object.entries(value)) {
    updateContainers(field, change, pattern)
    if ((key !== 'containers' && key !== 'initContainers') || !Array.isArray(field)) continue
    for (const container of field) {
      if (!isMap(container)) continue
      const { image } = container
      if (image !== undefined && isScalar(image) && pattern.test(textOf(image))) {
        assign(container, 'image', changed(textOf(image), change))
      }
    }
  }
}

function changed(image: string, change: ImageChange): string {
  let { name, tag, digest } = splitImage(image)
  if (change.newName !== '') name = change.newName
  if (change.newTag !== '' || change.digest !== '') {
    tag = change.newTag
    digest = change.digest
  } else if (change.tagSuffix !== '') {
    tag += change.tagSuffix
    digest = ''
  }
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`
}

/** Splits an image into name, tag and digest; a colon before the first slash belongs to a port. */
export function splitImage(image: string): { name: string; tag: string; digest: string } {
  const slash = Math.max(image.indexOf('/'), 0)
  const at = image.indexOf('@', slash)
  const colon = image.indexOf(':', slash)
  if (at >= 0 && (at < colon || colon < 0)) return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) }
  if (colon < 0) return { name: image, tag: '', digest: '' }
  if (at < 0) return { name: image.slice(0, colon), tag: image.slice(colon + 1), digest: '' }
  return { name: image.slice(0, colon), tag: image.slice(colon + 1, at), digest: image.slice(at + 1) }
}
