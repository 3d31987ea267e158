import { createHash } from 'node:crypto'
import { expect } from 'vitest'

/** Requests to one registry, as bare as tests of a protocol want them. */
export interface RegistryClient {
  send(method: string, path: string, body?: Uint8Array | string, headers?: Record<string, string>): Promise<Response>
  /** Pushes content in one request and answers with its digest. */
  pushBlob(name: string, content: Uint8Array | string): Promise<string>
  /** Begins an upload and answers with its address. */
  beginUpload(name: string): Promise<string>
  pushManifest(name: string, reference: string, manifest: Manifest): Promise<Response>
}

/** A manifest with its media type. */
export interface Manifest {
  readonly mediaType: string
  readonly [field: string]: unknown
}

/** A client for the registry at a URL. */
export function registryClient(url: string): RegistryClient {
  const send: RegistryClient['send'] = (method, path, body, headers = {}) =>
    fetch(new URL(path, url), {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
  return {
    send,
    async pushBlob(name, content) {
      const digest = sha256(content)
      const location = await this.beginUpload(name)
      const answer = await send('PUT', withDigest(location, digest), content, octets)
      expect(answer.status).toBe(201)
      return digest
    },
    async beginUpload(name) {
      const answer = await send('POST', `/v2/${name}/blobs/uploads/`)
      expect(answer.status).toBe(202)
      return answer.headers.get('location') ?? ''
    },
    pushManifest(name, reference, manifest) {
      const headers = { 'content-type': manifest.mediaType }
      return send('PUT', `/v2/${name}/manifests/${reference}`, JSON.stringify(manifest), headers)
    },
  }
}

/** The content type of blobs. */
export const octets = { 'content-type': 'application/octet-stream' }

/** The digest of content. */
export function sha256(content: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** The address of an upload with the digest that ends it. */
export function withDigest(location: string, digest: string): string {
  return `${location}${location.includes('?') ? '&' : '?'}digest=${encodeURIComponent(digest)}`
}

/** A status and the code of its first error. */
export async function refusal(answer: Response): Promise<[number, string | undefined]> {
  const { errors } = (await answer.json()) as { errors: { code: string }[] }
  return [answer.status, errors[0]?.code]
}

const image = 'application/vnd.oci.image.manifest.v1+json'

/** An image manifest over content that is in the repository. */
export function imageManifest(digest: string, size: number, more: Record<string, unknown> = {}): Manifest {
  const config = { mediaType: 'application/vnd.oci.empty.v1+json', digest, size }
  return { schemaVersion: 2, mediaType: image, config, layers: [], ...more }
}
