import { parse, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { context, type KubeObject, LadingError, stringifyJson } from '../../../core/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { refuseFlags } from '../../options/refuse-flags.ts'
import { openRemote, remoteOptions } from '../../options/remote-options.ts'
import { addBuildOptions, type BuildFlags, buildFromFile, isComponentFile } from './build-component.ts'

interface BuildOptions extends BuildFlags {
  readonly loadRestrictor: 'rootOnly' | 'none'
  readonly reorder: 'none' | 'legacy'
  readonly enableHelm?: boolean
  readonly remoteLock?: string
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
    .option('--enable-helm', 'inflate helmCharts, of charts that lie in the tree or come from hosts that are allowed')
    .option(
      '--remote-lock <file>',
      'file that records what was fetched; where it is there, the same has to be fetched again',
    )
    .option('--detach', 'leave the build of a component to `lading runner start`')
  return addBuildOptions(command)
    .addHelpText(
      'after',
      '\nExample:\n  lading build overlays/production\n' +
        '  lading build shop.toml --registry oci://registry.example/shop --tag v1',
    )
    .action(async (source: string, _options, command: Command) => {
      const options = command.optsWithGlobals<BuildOptions>()
      if (isComponentFile(source)) {
        const settings = 'the same component gives the same artifact everywhere, so its file says how it is built'
        refuseFlags(command, ['--enable-helm'], `${settings}: enable_helm = true of kustomize`)
        refuseFlags(command, ['--load-restrictor'], `${settings}: load_restrictor of kustomize`)
        refuseFlags(command, ['--reorder'], 'the objects of an artifact stand in the order of apply')
        refuseFlags(command, ['--remote-lock'], 'the artifact of a component records what was fetched')
        await buildFromFile(io, source, options, command)
        return
      }
      refuseFlags(command, componentFlags, `${source} is a folder, whose objects are printed; give a component file`)
      refuseFlags(command, ['--namespace'], 'a kustomization names its namespace itself')
      const objects = await buildFolder(io, resolve(io.cwd, source), options)
      const { renderYaml } = await import('../../../render/kustomize/index.ts')
      // Manifests are data already: without an -o json they are printed as kustomize prints them.
      io.stdout.write(options.output === 'json' ? `${stringifyJson(objects, 2)}\n` : renderYaml(objects))
    })
}

/** What building a kustomization that is only printed has no use for. */
const componentFlags =
  '--registry --tag --sign --recipient --credentials --input --detach --jobs --jobs-key --progress --plain-http --registry-ca --insecure-skip-tls-verify --allow-token-host --identity --verify'.split(
    ' ',
  )

async function buildFolder(io: Io, folder: string, options: BuildOptions): Promise<readonly KubeObject[]> {
  const { buildWithRemotes, folderTree } = await import('../../../render/kustomize/index.ts')
  const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
  const how = {
    loadRestrictor: options.loadRestrictor,
    reorder: options.reorder,
    ...(options.enableHelm === true ? { engine: (await import('../../../render/helm/index.ts')).helmEngine } : {}),
  }
  const remote = remoteOptions(options)
  if (remote === undefined && options.remoteLock !== undefined)
    throw new LadingError('usage.invalid', '--remote-lock records what --allow-remote lets a build fetch: give both')
  const lock = options.remoteLock === undefined ? undefined : pathFrom(io, options.remoteLock)
  const { readRemoteLock, writeRemoteLock } = await import('../../../release/index.ts')
  const expected = lock === undefined ? [] : await readRemoteLock(lock)
  const fetchRemote = remote === undefined ? undefined : await openRemote(io, options)({ ...remote, expected })
  const { objects, remotes } = await buildWithRemotes(folderTree(parse(folder).root), folder, how, fetchRemote, ctx)
  if (lock !== undefined) await writeRemoteLock(lock, remotes)
  return objects
}
