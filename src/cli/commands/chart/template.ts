import { Command } from 'commander'
import { context, LadingError, stringifyJson } from '../../../core/index.ts'
import { pathFrom } from '../../connect.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { collect, type GlobalOptions } from '../../options/options.ts'
import { readingOptions } from '../../options/reading-options.ts'
import { addContentOptions, addSourceOptions, type ContentFlags, contentInputs } from '../../options/release-options.ts'

interface TemplateOptions extends GlobalOptions, ContentFlags {
  readonly kustomize?: string
  readonly hooks?: boolean
  readonly includeCrds?: boolean
  readonly showOnly?: readonly string[]
  readonly isUpgrade?: boolean
  readonly outputDir?: string
}

/** `lading template`: what a source renders to, without a cluster. */
export function templateCommand(io: Io): Command {
  const command = new Command('template')
    .description('render a source as an install would, and print its objects; no cluster is asked')
    .argument('[name]', 'name of the release (default: release-name)')
    .argument('[source]', 'what `lading install` would be given')
    .option('-k, --kustomize <dir>', 'folder with a kustomization, instead of a source')
    .option('--no-hooks', 'leave hooks out')
    .option('--include-crds', 'print what stands in a chart’s crds/ too')
    .option('-s, --show-only <template>', 'print only what this template of a chart gives; may be repeated', collect)
    .option('--is-upgrade', 'render as for an upgrade')
    .option('--output-dir <dir>', 'write what each template of a chart gives to a file of its path below this folder')
  return addSourceOptions(addContentOptions(command))
    .addHelpText(
      'after',
      '\nSecrets are printed as they are.\n\nExample:\n  lading template shop ./deploy --set image.tag=2\n  lading template -k overlays/production\n' +
        '  lading template shop ./chart -s templates/service.yaml',
    )
    .action(async (first: string | undefined, second: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<TemplateOptions>()
      const { name, source } = argumentsOf(first, second, options.kustomize)
      const { createMemoryStore, renderInputs, splitHooks } = await import('../../../release/index.ts')
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const release = { name, namespace: options.namespace ?? 'default' }
      const inputs = contentInputs(io, source, options)
      const reading = {
        ...(await readingOptions(io, source, options)),
        kind: options.kustomize === undefined ? undefined : ('kustomization' as const),
        isUpgrade: options.isUpgrade,
      }
      // A release that nobody has yet: revision 1, and no values of a revision before.
      const { rendered } = await renderInputs(createMemoryStore(), release, inputs, reading, ctx)
      const { includeCrds = false, showOnly = [] } = options
      const shown = { includeCrds, skipHooks: options.hooks === false }
      if (options.outputDir !== undefined) {
        if (rendered.templateFiles === undefined || showOnly.length > 0)
          throw new LadingError('usage.invalid', '--output-dir is for whole charts: other sources are printed')
        const { writeTemplateFiles } = await import('../../files/write-template-files.ts')
        await writeTemplateFiles(io, options.outputDir, rendered.templateFiles(shown), options.output)
        return
      }
      if (rendered.writeTemplate !== undefined && options.output !== 'json') {
        io.stdout.write(rendered.writeTemplate({ ...shown, showOnly }))
        return
      }
      if (showOnly.length > 0)
        throw new LadingError('usage.invalid', '--show-only is for charts that are printed as YAML')
      const all = [...(includeCrds ? (rendered.crds ?? []) : []), ...rendered.objects]
      const objects = options.hooks === false ? splitHooks(all).objects : all
      const { writeDocuments } = await import('../../../core/yaml/index.ts')
      // Manifests are data already: what is not asked for as JSON is YAML.
      io.stdout.write(options.output === 'json' ? `${stringifyJson(objects, 2)}\n` : writeDocuments(objects))
    })

  function argumentsOf(
    first: string | undefined,
    second: string | undefined,
    kustomize: string | undefined,
  ): { name: string; source: string } {
    if (kustomize !== undefined && second !== undefined) {
      throw new LadingError('usage.invalid', 'give either a source or --kustomize')
    }
    const [name, source] =
      kustomize !== undefined
        ? [first, pathFrom(io, kustomize)]
        : second === undefined
          ? [undefined, first]
          : [first, second]
    if (source === undefined) throw new LadingError('usage.invalid', 'give a source to render')
    return { name: name ?? 'release-name', source }
  }
}
