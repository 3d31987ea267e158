// Pushes or pulls one file as an artifact and prints what that took: node bench/programs/registry-transfer.ts push|pull HOST REPOSITORY FILE cold|warm
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { context } from '../../src/core/index.ts'
import {
  childrenOf,
  describe,
  fetchAll,
  maxManifestBytes,
  mediaTypes,
  openRepository,
  parseManifest,
  pushMissing,
} from '../../src/oci/index.ts'

const [, , way = '', registry = '', repository = '', file = '', start = ''] = process.argv
const ctx = context()
// A process that has done so before, as servers have: what JavaScript compiles for the first time is left out.
if (start === 'warm') {
  const name = `${repository}-before-${way}`
  await push(name, Buffer.from('before'))
  await pull(name, `${file}.before`)
}
const cpuBefore = process.cpuUsage()
const begun = performance.now()
await (way === 'push' ? push(repository) : pull(repository, file))
const ms = performance.now() - begun
const { user, system } = process.cpuUsage(cpuBefore)
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }))

async function push(repository: string, given?: Uint8Array): Promise<void> {
  const target = openRepository({ registry, repository }, { plainHttp: true })
  const content = given ?? (await readFile(file))
  const config = Buffer.from('{}')
  const layer = describe('application/octet-stream', content)
  const empty = describe(mediaTypes.ociEmpty, config)
  await Promise.all([pushMissing(target, layer, content, ctx), pushMissing(target, empty, config, ctx)])
  const text = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    artifactType: 'application/x',
    config: empty,
    layers: [layer],
  }
  const manifest = Buffer.from(JSON.stringify(text))
  await target.pushTagged(describe(mediaTypes.ociManifest, manifest), manifest, 'v1', ctx)
  await target.close()
}

async function pull(repository: string, file: string): Promise<void> {
  const target = openRepository({ registry, repository }, { plainHttp: true })
  const d = await target.resolve('v1', ctx)
  const children = childrenOf(parseManifest(await fetchAll(target, d, maxManifestBytes, ctx), d))
  const layer = children.at(-1)
  if (layer === undefined) throw new Error('the artifact has no layer')
  // As it comes in, so that writing and receiving go on side by side.
  await pipeline(await target.fetch(layer, ctx), createWriteStream(file, { highWaterMark: 1024 * 1024 }))
  await target.close()
}
