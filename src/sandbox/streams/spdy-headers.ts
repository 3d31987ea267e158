import { createInflate, type Inflate } from 'node:zlib'

/** Headers of SPDY streams, compressed in one zlib stream for each direction (SPDY/3.1, section 2.6.10). */
export class SpdyHeaders {
  readonly #inflate: Inflate = createInflate({ dictionary: dictionary() })
  #begun = false

  constructor() {
    this.#inflate.on('error', () => {})
  }

  /** Reads the headers of the next stream. */
  async read(compressed: Uint8Array): Promise<Map<string, string>> {
    await new Promise<void>((resolve, reject) => {
      this.#inflate.write(compressed, (error) => (error === null || error === undefined ? resolve() : reject(error)))
    })
    const plain = this.#inflate.read() as Buffer | null
    const headers = new Map<string, string>()
    if (plain === null) return headers
    let at = 4
    const next = (): string => {
      const length = plain.readUInt32BE(at)
      at += 4 + length
      return plain.toString('latin1', at - length, at)
    }
    for (let left = plain.readUInt32BE(0); left > 0; left--) headers.set(next(), next())
    return headers
  }

  /** No headers at all, as the next block of our direction: stored, since there is nothing to compress. */
  none(): Buffer {
    const count = [0, 0, 0, 0]
    // The empty block flushes: readers give out what they have there.
    const stored = Buffer.from([0, 4, 0, 0xfb, 0xff, ...count, 0, 0, 0, 0xff, 0xff])
    if (this.#begun) return stored
    this.#begun = true
    return Buffer.concat([Buffer.from([0x78, 0x01]), stored])
  }
}

/** The dictionary that SPDY/3 fixes: words with their lengths, then text. */
function dictionary(): Buffer {
  const parts = words.split(' ').flatMap((word) => {
    const length = Buffer.alloc(4)
    const plain = word.replace('_', ' ')
    length.writeUInt32BE(plain.length)
    return [length, Buffer.from(plain)]
  })
  return Buffer.concat([...parts, Buffer.from(tail)])
}

const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow ' +
  'authorization cache-control connection content-base content-encoding content-language content-length content-location ' +
  'content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match ' +
  'if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range ' +
  'referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get ' +
  'status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin'

const tail =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden' +
  '404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,public' +
  'privatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.'
