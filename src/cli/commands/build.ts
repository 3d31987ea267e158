import { parse, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { stringifyJson } from '../../core/index.ts'
import type { InflateChart } from '../../render/kustomize/index.ts'
import type { Io } from '../io.ts'
import { collect } from '../options.ts'
import { addComponentOptions, buildComponent, type ComponentFlags, isComponentFile } from './build-component.ts'

interface BuildOptions extends ComponentFlags {
  readonly loadRestrictor: 'rootOnly' | 'none'
  readonly reorder: 'none' | 'legacy'
  readonly enableHelm?: boolean
  readonly allowRemote?: readonly string[]
}

/** `lading build`: what a kustomization comes to, without a cluster; a component becomes an artifact. */
export function buildCommand(io: Io): Command {
  const command = new Command('build')
    .description('build a kustomization and print its objects, or a component into an artifact')
    .argument('[source]', 'folder with the kustomization, or a component file (.toml, .yaml, .json)', '.')
    .addOption(
      new Option('--load-restrictor <rule>', 'which files it may read')
        .choices(['rootOnly', 'none'])
        .default('rootOnly'),
    )
    .addOption(new Option('--reorder <order>', 'order of the objects').choices(['none', 'legacy']).default('legacy'))
    .option('--enable-helm', 'inflate helmCharts, of charts that lie in the tree')
    .option('--allow-remote <host>', 'host from which remote bases may come; may be repeated', collect)
    .option('--detach', 'leave the build of a component to `lading runner start`')
  return addComponentOptions(command)
    .addHelpText(
      'after',
      '\nExample:\n  lading build overlays/production\n' +
        '  lading build shop.toml --registry oci://registry.example/shop --tag v1',
    )
    .action(async (source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<BuildOptions>()
      if (isComponentFile(source)) {
        await buildComponent(io, source, options)
        return
      }
      const { buildKustomization, folderTree, renderYaml } = await import('../../render/kustomize/index.ts')
      const folder = resolve(io.cwd, source)
      const objects = buildKustomization(folderTree(parse(folder).root), folder, {
        loadRestrictor: options.loadRestrictor,
        reorder: options.reorder,
        ...(options.enableHelm === true ? { enableHelm: true, inflateChart: await helmEngine() } : {}),
        allowRemote: options.allowRemote ?? [],
      })
      // Manifests are data already: without an -o json they are printed as kustomize prints them.
      io.stdout.write(options.output === 'json' ? `${stringifyJson(objects, 2)}\n` : renderYaml(objects))
    })
}

async function helmEngine(): Promise<InflateChart> {
  return (await import('../../render/helm/index.ts')).inflateRequest
}
