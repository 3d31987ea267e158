import { type Context, context } from '../src/core/index.ts'
import { ensureTool, toolVersion } from './build.ts'

/** The programs that Lading is compared to and that are built from Go. */
export const peerNames = ['cosign', 'flux', 'helm3', 'kapp', 'kustomize', 'oras'] as const

/** Name of a peer. */
export type PeerName = (typeof peerNames)[number]

/** A peer that is ready to be run. */
export interface Peer {
  readonly name: PeerName
  readonly path: string
  readonly version: string
}

/** A peer's program, built on first use. */
export async function peer(name: PeerName, ctx: Context = context()): Promise<Peer> {
  return { name, path: await ensureTool(name, ctx), version: await toolVersion(name) }
}
