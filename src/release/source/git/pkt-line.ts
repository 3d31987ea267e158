import { LadingError } from '../../../core/index.ts'

/** One unit of git's wire format: some bytes, or one of the packets without any. */
export type Packet = Uint8Array | 'flush' | 'delimiter' | 'end'

const special: Readonly<Record<number, Packet>> = { 0: 'flush', 1: 'delimiter', 2: 'end' }
const maxPacketBytes = 65_516

/** Ends a message. */
export const flush = Symbol('flush')

/** Stands between the parts of a message. */
export const delimiter = Symbol('delimiter')

/** Writes packets; a text becomes a line. */
export function writePackets(packets: readonly (string | typeof flush | typeof delimiter)[]): Uint8Array {
  return Buffer.concat(
    packets.map((packet) => {
      if (packet === flush) return Buffer.from('0000')
      if (packet === delimiter) return Buffer.from('0001')
      const data = Buffer.from(`${packet}\n`)
      if (data.length > maxPacketBytes) throw invalid('a line is too long')
      return Buffer.concat([Buffer.from((data.length + 4).toString(16).padStart(4, '0')), data])
    }),
  )
}

/** Reads all packets of an answer. */
export function* readPackets(data: Uint8Array): Generator<Packet, void> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  while (at < bytes.length) {
    const head = bytes.toString('latin1', at, at + 4)
    if (!/^[\da-f]{4}$/i.test(head)) throw invalid('a packet has no length')
    const length = Number.parseInt(head, 16)
    const short = special[length]
    if (short !== undefined) {
      yield short
      at += 4
      continue
    }
    if (length < 4 || at + length > bytes.length) throw invalid('a packet is cut off')
    yield bytes.subarray(at + 4, at + length)
    at += length
  }
}

/** A packet as a line of text, without its line end. */
export function lineOf(packet: Uint8Array): string {
  return Buffer.from(packet).toString('utf8').replace(/\n$/, '')
}

function invalid(problem: string): LadingError {
  return new LadingError('git.failed', `the server does not speak the git protocol: ${problem}`)
}
