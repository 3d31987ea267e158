import { compareVersions } from '../kinds/version-order.ts'
import type { GroupVersionKind } from '../../core/index.ts'

/** The names of the types of one kind. */
export interface TypeNames {
  readonly kind: string
  readonly spec: string
  readonly status: string
}

/**
 * Names the types of kinds: the preferred version of a kind has the kind's own name, an older one its version behind it, and kinds that
 * several groups have their group in front.
 */
export function withTypeNames<Item extends { readonly resource: GroupVersionKind }>(
  items: readonly Item[],
): (Item & { readonly names: TypeNames })[] {
  const groups = new Map<string, Set<string>>()
  const versions = new Map<string, string[]>()
  for (const { resource } of items) {
    const { group, version, kind } = resource
    groups.set(kind, (groups.get(kind) ?? new Set()).add(group))
    versions.set(`${group}/${kind}`, [...(versions.get(`${group}/${kind}`) ?? []), version])
  }
  const own = items.map((item) => {
    const { group, version, kind } = item.resource
    const [preferred] = (versions.get(`${group}/${kind}`) ?? []).sort(compareVersions)
    const prefix = groups.get(kind)?.size === 1 ? '' : pascal(group)
    return { item, name: identifier(`${prefix}${kind}${version === preferred ? '' : pascal(version)}`) }
  })
  const taken = new Set<string>()
  // The kinds choose first, so that a kind named ShopSpec keeps its name.
  const chosen = own.map(({ item, name }) => ({ item, kind: unique(name, taken) }))
  return chosen.map(({ item, kind }) => ({
    ...item,
    names: { kind, spec: unique(`${kind}Spec`, taken), status: unique(`${kind}Status`, taken) },
  }))
}

/** A CRD that was never accepted by a server may have any name; two that differ only in signs must not become one. */
function unique(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free) || reserved.has(free); count++) free = `${name}${count}`
  taken.add(free)
  return free
}

/** Names that the written module uses otherwise. */
const reserved = new Set(['EmbeddedObject', 'KubeKinds', 'NamedObjectMeta', 'Omit', 'Record'])

function identifier(text: string): string {
  const name = text.replaceAll(/[^\w$]/g, '')
  return /^[A-Z]/.test(name) ? name : `Kind${name}`
}

function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}
