import type { Context } from '../core/index.ts'
import type { Connected, ConnectOptions } from '../kube/index.ts'

export type { Connected }

/** How to connect to a sandbox. */
export interface SandboxConnectOptions extends Pick<ConnectOptions, 'namespace' | 'transport'> {
  /** Who asks (default: `admin`); `nobody` has no rights. */
  readonly user?: 'admin' | 'nobody'
}

/** Where a sandbox is, and the tokens of its users. */
export interface SandboxAddress {
  readonly url: string
  /** PEM of the certificate to trust; undefined over plain HTTP. */
  readonly certificate: string | undefined
  readonly tokens: Readonly<Record<'admin' | 'nobody', string>>
}

/** Connects to a sandbox. The client is loaded only here: a sandbox that other programs talk to does not need it. */
export async function connectTo(
  { url, certificate, tokens }: SandboxAddress,
  { user = 'admin', ...options }: SandboxConnectOptions,
  ctx: Context | undefined,
): Promise<Connected> {
  const { connect } = await import('../kube/index.ts')
  return await connect({ ...options, server: url, ca: certificate, token: tokens[user] }, ctx)
}
