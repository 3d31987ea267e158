import { Command } from 'commander'
import { context, formatRef, type KubeObject, objectId, refOf, oneLine } from '../../../core/index.ts'
import type { Io } from '../../io.ts'
import { lineLog } from '../../print/line-log.ts'
import { withTarget } from '../../open-target.ts'
import { paint } from '../../print/colour.ts'
import { endDifferent } from '../../print/differs.ts'
import { follow } from '../../print/follow.ts'
import { printData, printDocument } from '../../print/print-data.ts'
import { formatTable } from '../../print/print-table.ts'
import {
  addArtifactOptions,
  addRegistryOptions,
  type ArtifactFlags,
  type RegistryFlags,
} from '../../options/registry-options.ts'
import { addProgressOption, type RunFlags } from '../../options/release-options.ts'
import { pullVerifiedFrom } from '../chart/pull.ts'

/** `lading artifacts`: what a repository holds. */
export function artifactsCommand(io: Io): Command {
  const command = new Command('artifacts')
    .description('list the tags of a repository and the digests that they name')
    .argument('<reference>', 'oci://HOST/REPOSITORY, or oci-layout:FOLDER')
  return addRegistryOptions(command)
    .addHelpText('after', '\nExample:\n  lading artifacts oci://registry.example/shop')
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      await withTarget(io, text, options, async ({ target }) => {
        const { listArtifacts } = await import('../../../oci/index.ts')
        const rows = await listArtifacts(target, ctx)
        await printData(io, options.output, rows, { rows, columns: ['tag', 'digest', 'mediaType'] })
      })
    })
}

/** `lading tag`: another name for an artifact. */
export function tagCommand(io: Io): Command {
  const command = new Command('tag')
    .description('give an artifact another tag')
    .argument('<reference>', 'the artifact')
    .argument('<tag>', 'the new tag')
  return addRegistryOptions(command)
    .addHelpText('after', '\nExample:\n  lading tag oci://registry.example/shop@sha256:… stable')
    .action(async (text: string, tag: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      await withTarget(io, text, options, async ({ target, name, pinned }) => {
        const found = await target.resolve(name, ctx)
        await target.tag(found, tag, ctx)
        const row = { artifact: pinned(found.digest), digest: found.digest, tag }
        await printData(io, options.output, row, { rows: [row], columns: ['artifact', 'tag'] })
      })
    })
}

/** `lading inspect`: what is in an artifact. */
export function inspectCommand(io: Io): Command {
  const command = new Command('inspect')
    .description('show the objects, images, metadata and signatures of an artifact')
    .argument('<reference>', 'the artifact')
  return addArtifactOptions(command)
    .addHelpText('after', '\nExample:\n  lading inspect oci://registry.example/shop:v1 -o json')
    .action(async (text: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ArtifactFlags>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { digest, format, content, metadata, objects, files } = await pullVerifiedFrom(io, text, options)
      const { listAttachments } = await import('../../../oci/index.ts')
      const referrers = await withTarget(io, text, options, ({ target }) => listAttachments(target, digest, ctx))
      const rows = objects.map((object) => ({ object: formatRef(refOf(object)) }))
      const images = imagesOf(objects)
      const data = {
        digest,
        format,
        content,
        metadata,
        objects: objects.map((object) => objectId(refOf(object))),
        images,
        files: [...files.keys()],
        referrers,
      }
      await printDocument(io, options.output, data, () =>
        [
          ...[
            `digest    ${digest}`,
            `format    ${format} (${content})`,
            ...Object.entries(metadata).map(([key, value]) => `${key.padEnd(9)} ${String(value)}`),
            ...images.map((image) => `image     ${image}`),
            ...referrers.map(({ type }) => `referrer  ${type}`),
            ...(content === 'objects' ? [] : [...files.keys()].map((name) => `file      ${name}`)),
          ].map(oneLine),
          content === 'objects' ? formatTable({ rows, columns: ['object'] }) : '',
        ].join('\n'),
      )
    })
}

/** `lading diff-artifact`: what changes from one artifact to another. */
export function diffArtifactCommand(io: Io): Command {
  const command = new Command('diff-artifact')
    .description(
      'show how the objects of two artifacts differ, or the files of two charts; values of Secrets are masked',
    )
    .argument('<from>', 'the artifact before')
    .argument('<to>', 'the artifact after')
  return addArtifactOptions(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 when they are the same, 2 when they differ.\n\n' +
        'Example:\n  lading diff-artifact oci://registry.example/shop:v1 oci://registry.example/shop:v2',
    )
    .action(async (from: string, to: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ArtifactFlags>()
      const { changeLines, diffArtifacts } = await import('../../../release/index.ts')
      const before = await pullVerifiedFrom(io, from, options)
      const after = await pullVerifiedFrom(io, to, options)
      const rows = diffArtifacts(before, after)
      const colour = paint(io.stdout, io.env)
      await printDocument(io, options.output, rows, () =>
        rows
          .flatMap(({ object, change, fields }) => [`${signs[change]} ${object}`, ...changeLines(fields, { colour })])
          .map((line) => `${line}\n`)
          .join(''),
      )
      if (rows.length > 0) endDifferent(command)
    })
}

/** `lading mirror`: an artifact in another place, byte by byte. */
export function mirrorCommand(io: Io): Command {
  const command = new Command('mirror')
    .description('copy an artifact between registries and layouts, blobs untouched, skipping what is there')
    .argument('<from>', 'the artifact')
    .argument('<to>', 'oci://HOST/REPOSITORY[:TAG], or oci-layout:FOLDER[:TAG] (default: the same tag)')
    .option('--referrers', 'copy signatures and whatever else refers to it, too')
  return addRegistryOptions(addProgressOption(command))
    .addHelpText('after', '\nExample:\n  lading mirror oci://registry.example/shop:v1 oci-layout:./shop --referrers')
    .action(async (from: string, to: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RegistryFlags & RunFlags & { referrers?: boolean }>()
      const ctx = context({ signal: io.signal, log: lineLog(options.logLevel, io) })
      const { copy, refuseDigest } = await import('../../../oci/index.ts')
      await withTarget(io, from, options, (source) =>
        withTarget(io, to, options, async (place) => {
          refuseDigest(to, place)
          const { target, tag, pinned } = place
          const events = copy(
            source.target,
            source.name,
            target,
            tag ?? source.tag,
            { referrers: options.referrers === true },
            ctx,
          )
          const { progress } = options
          const result = await follow(events, { title: `mirror ${from}`, progress }, io, ctx)
          const { descriptor, copied, present, bytes } = result
          const row = { artifact: pinned(descriptor.digest), digest: descriptor.digest, copied, present, bytes }
          await printData(io, options.output, row, { rows: [row], columns: ['artifact', 'copied', 'present', 'bytes'] })
        }),
      )
    })
}

const signs = { added: '+', removed: '-', modified: '~' } as const

/** Every image that a container names, sorted. */
function imagesOf(objects: readonly KubeObject[]): string[] {
  const found = new Set<string>()
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) value.forEach((each) => visit(each, key))
    else if (typeof value === 'object' && value !== null) {
      const record = value as Record<string, unknown>
      const isContainer = /^(?:containers|initContainers|ephemeralContainers)$/.test(key)
      if (isContainer && typeof record['image'] === 'string') found.add(record['image'])
      for (const [name, each] of Object.entries(record)) visit(each, name)
    }
  }
  for (const object of objects) visit(object, '')
  return [...found].sort()
}
