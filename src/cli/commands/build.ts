import { parse, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { stringifyJson } from '../../core/index.ts'
import type { Io } from '../io.ts'
import { collect, type GlobalOptions } from '../options.ts'

interface BuildOptions extends GlobalOptions {
  readonly loadRestrictor: 'rootOnly' | 'none'
  readonly reorder: 'none' | 'legacy'
  readonly enableHelm?: boolean
  readonly allowRemote?: readonly string[]
}

/** `lading build`: what a kustomization comes to, without a cluster. */
export function buildCommand(io: Io): Command {
  return new Command('build')
    .description('build a kustomization and print its objects')
    .argument('[dir]', 'folder with the kustomization', '.')
    .addOption(
      new Option('--load-restrictor <rule>', 'which files it may read')
        .choices(['rootOnly', 'none'])
        .default('rootOnly'),
    )
    .addOption(new Option('--reorder <order>', 'order of the objects').choices(['none', 'legacy']).default('legacy'))
    .option('--enable-helm', 'inflate helmCharts; there is no engine for it in this version')
    .option('--allow-remote <host>', 'host from which remote bases may come; may be repeated', collect)
    .addHelpText('after', '\nExample:\n  lading build overlays/production')
    .action(async (dir: string, _options, command: Command) => {
      const options = command.optsWithGlobals<BuildOptions>()
      const { buildKustomization, folderTree, renderYaml } = await import('../../render/kustomize/index.ts')
      const folder = resolve(io.cwd, dir)
      const objects = buildKustomization(folderTree(parse(folder).root), folder, {
        loadRestrictor: options.loadRestrictor,
        reorder: options.reorder,
        enableHelm: options.enableHelm === true,
        allowRemote: options.allowRemote ?? [],
      })
      // Manifests are data already: without an -o json they are printed as kustomize prints them.
      io.stdout.write(options.output === 'json' ? `${stringifyJson(objects, 2)}\n` : renderYaml(objects))
    })
}
