import type { SoakCluster } from './clusters.ts'
import type { Version } from './content.ts'
import { comparable, readObjects } from './read-state.ts'
import { openWorld, type WorldChoice } from './release-world.ts'

/** What clean installs look like, made once for each content. */
export interface References {
  /** The objects of a clean install of a version, by kind and name. */
  of(choice: WorldChoice, version: Version): Promise<ReadonlyMap<string, string>>
}

/** Makes references on a cluster when they are first asked for. */
export function referencesOn(target: SoakCluster): References {
  const made = new Map<string, Promise<ReadonlyMap<string, string>>>()
  const make = async (choice: WorldChoice, version: Version, name: string): Promise<ReadonlyMap<string, string>> => {
    const world = await openWorld(target, choice, name)
    try {
      await world.must('install', 'shop', version)
      return comparable(await readObjects(target.cluster, world.namespace), world.namespace, new Set())
    } finally {
      await world.close()
    }
  }
  return {
    of(choice, version) {
      const name = `clean-${choice.driver}-${choice.content}-${choice.size}-${version}`
      const found = made.get(name) ?? make(choice, version, name)
      made.set(name, found)
      return found
    },
  }
}
