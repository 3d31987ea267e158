import { type Context, LadingError } from '../../core/index.ts'
import { dump } from '../../net/index.ts'
import { describeReferrer } from '../accept-manifest.ts'
import { type Descriptor, isDigest } from '../descriptor.ts'
import { isManifestType, maxManifestBytes, parseManifest } from '../manifest.ts'
import { assertTag, isRepository, type RepositoryName } from '../reference.ts'
import { fetchAll, type PushContent, type Target } from '../target.ts'
import { verifiedContent } from '../verify-stream.ts'
import type { RegistryClient } from './client.ts'
import { fetchContent } from './fetch-content.ts'
import { hasContent } from './has-content.ts'
import { listTags } from './list-tags.ts'
import { mountBlob, pushBlob } from './push/push-blob.ts'
import { putManifest } from './push/push-manifest.ts'
import { readBytes } from './network/read-body.ts'
import { listReferrers, updateReferrersTag } from './referrers.ts'
import { contentPath, scopeOf } from './repository-paths.ts'
import { resolveManifest } from './resolve.ts'

/** A repository of a registry as a target; `await using` ends its connections. */
export class Repository implements Target, AsyncDisposable {
  readonly location: RepositoryName
  readonly #client: RegistryClient
  readonly #name: string
  readonly #chunkBytes: number
  /** One update of the list under a tag after the other: each reads what the one before wrote. */
  #updates: Promise<unknown> = Promise.resolve()

  constructor(client: RegistryClient, location: RepositoryName, chunkBytes: number) {
    this.#client = client
    this.location = location
    this.#name = location.repository
    this.#chunkBytes = chunkBytes
  }

  fetch(d: Descriptor, ctx: Context): Promise<AsyncIterable<Uint8Array>> {
    return fetchContent(this.#client, this.#name, d, ctx)
  }

  async push(d: Descriptor, content: PushContent, ctx: Context): Promise<void> {
    if (!isManifestType(d.mediaType)) return pushBlob(this.#upload(d), content, ctx)
    const bytes = await readBytes(verifiedContent(d, content), maxManifestBytes, `manifest ${d.digest}`)
    await this.#pushManifest(d, bytes, d.digest, ctx)
  }

  resolve(tagOrDigest: string, ctx: Context): Promise<Descriptor> {
    const wanted = isDigest(tagOrDigest) ? tagOrDigest : assertTag(tagOrDigest)
    return resolveManifest(this.#client, this.#name, wanted, ctx)
  }

  async tag(d: Descriptor, tag: string, ctx: Context): Promise<void> {
    assertTag(tag)
    const content = await fetchAll(this, d, maxManifestBytes, ctx)
    await putManifest(this.#client, this.#name, d, content, tag, ctx)
  }

  async pushTagged(d: Descriptor, content: Uint8Array, tag: string, ctx: Context): Promise<void> {
    await this.#pushManifest(d, content, assertTag(tag), ctx)
  }

  exists(d: Descriptor, ctx: Context): Promise<boolean> {
    return hasContent(this.#client, this.#name, d, ctx)
  }

  tags(ctx: Context): Promise<readonly string[]> {
    return listTags(this.#client, this.#name, ctx)
  }

  referrers(d: Descriptor, artifactType: string | undefined, ctx: Context): Promise<readonly Descriptor[]> {
    return listReferrers(this.#client, this.#name, d, artifactType, ctx)
  }

  async delete(d: Descriptor, ctx: Context): Promise<void> {
    const { subject } = isManifestType(d.mediaType)
      ? parseManifest(await fetchAll(this, d, maxManifestBytes, ctx), d)
      : { subject: undefined }
    const answer = await this.#client.send(
      {
        method: 'DELETE',
        to: contentPath(this.#name, d),
        scopes: [scopeOf(this.#name, 'delete')],
        expect: [200, 202, 204],
        what: `removal of ${d.digest} from ${this.#name}`,
      },
      ctx,
    )
    await dump(answer)
    if (subject !== undefined) await this.#updateTag(subject, { remove: d }, ctx)
  }

  mount(d: Descriptor, fromRepository: string, ctx: Context): Promise<boolean> {
    if (!isRepository(fromRepository)) {
      throw new LadingError('oci.reference-invalid', `${JSON.stringify(fromRepository)} is no name of a repository`)
    }
    return mountBlob(this.#upload(d), fromRepository, ctx)
  }

  close(): Promise<void> {
    return this.#client.network.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #pushManifest(d: Descriptor, content: Uint8Array, tagOrDigest: string, ctx: Context): Promise<void> {
    const manifest = parseManifest(content, d)
    const { subjectKnown } = await putManifest(this.#client, this.#name, d, content, tagOrDigest, ctx)
    if (manifest.subject === undefined || subjectKnown) return
    await this.#updateTag(manifest.subject, { add: describeReferrer(d, manifest) }, ctx)
  }

  async #updateTag(subject: Descriptor, change: Parameters<typeof updateReferrersTag>[3], ctx: Context): Promise<void> {
    const update = this.#updates
      .catch(() => undefined)
      .then(() => updateReferrersTag(this.#client, this.#name, subject, change, ctx))
    this.#updates = update.catch(() => undefined)
    await update
  }

  #upload(d: Descriptor): Parameters<typeof pushBlob>[0] {
    return { client: this.#client, repository: this.#name, d, chunkBytes: this.#chunkBytes }
  }
}
