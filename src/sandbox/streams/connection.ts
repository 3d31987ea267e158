import { Duplex } from 'node:stream'

/** Serves one connection to a port. */
export type PortServer = (connection: Duplex) => void | Promise<void>

/** The pod's end of one connection; it closes once its script has ended it. */
export class Connection extends Duplex {
  readonly #send: (chunk: Uint8Array) => Promise<void>

  constructor(send: (chunk: Uint8Array) => Promise<void>) {
    super()
    this.#send = send
    this.on('error', () => {})
    this.once('finish', () => this.destroy())
  }

  /** Hands the connection to its script; a port that nothing listens on is told as an error. */
  async serve(
    port: number,
    serverOf: (port: number) => PortServer,
    fail: (message: string) => Promise<void>,
  ): Promise<void> {
    try {
      Promise.resolve(serverOf(port)(this)).catch((error: unknown) => this.destroy(error as Error))
    } catch (error) {
      await fail(error instanceof Error ? error.message : String(error))
      this.destroy()
    }
  }

  override _read(): void {
    // Chunks are pushed as they come.
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#send(chunk).then(
      () => done(),
      (error: unknown) => done(error as Error),
    )
  }
}
