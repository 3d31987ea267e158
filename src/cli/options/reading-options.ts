import { defined } from '../../core/index.ts'
import type { Cluster } from '../../kube/index.ts'
import type { ReadingOptions } from '../../release/index.ts'
import type { Io } from '../io.ts'
import { artifactAccess, type ArtifactFlags } from './registry-options.ts'
import { type ProgramFlags, programOptions } from './program-options.ts'
import { openRemote } from './remote-options.ts'

/** How a command reads its source: standard input, paths from its folder, registries as its flags say, for this cluster. */
export async function readingOptions(
  io: Io,
  source: string,
  flags: ArtifactFlags & ProgramFlags,
  cluster?: Cluster,
): Promise<ReadingOptions> {
  const { stdin, cwd } = io
  return {
    stdin,
    cwd,
    // Nothing of registries is loaded for what lies on the disk.
    ...(/^oci:\/\//i.test(source) ? { artifacts: await artifactAccess(io, flags) } : {}),
    async fetchChart(text, { version, repo }, ctx) {
      const [{ fetchChart }, { chartOptions }] = await Promise.all([
        import('../../release/index.ts'),
        import('./chart-options.ts'),
      ])
      return fetchChart(text, await chartOptions(io, { ...flags, ...defined({ version, repo }) }), ctx)
    },
    openRemote: openRemote(io, flags),
    ...defined({ program: programOptions(io, flags) }),
    cluster,
  }
}
