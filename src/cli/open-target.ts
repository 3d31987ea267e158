import type { OpenTarget } from '../oci/index.ts'
import { folderOf } from './connect.ts'
import type { Io } from './io.ts'
import { type RegistryFlags, registryOptions } from './options/registry-options.ts'

/** Opens the registry or image layout that a text names, for as long as the work takes. */
export async function withTarget<Result>(
  io: Io,
  text: string,
  flags: RegistryFlags,
  work: (place: OpenTarget) => Promise<Result>,
): Promise<Result> {
  const { openTarget } = await import('../oci/index.ts')
  const place = openTarget(text, { registry: await registryOptions(io, flags), cwd: folderOf(io) })
  try {
    return await work(place)
  } finally {
    await place.target.close()
  }
}
