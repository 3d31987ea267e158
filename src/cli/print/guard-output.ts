import { showPainted } from './colour.ts'
import type { Io, OutputStream } from '../io.ts'

/**
 * The same streams, but what others wrote into names, messages, logs and notes cannot drive the terminal there: control characters
 * are shown, not done. Data that goes to a file or a pipe stays as it is, byte for byte.
 */
export function guardOutput(io: Io): Io {
  return { ...io, stdout: io.stdout.isTTY === true ? guarded(io.stdout) : io.stdout, stderr: guarded(io.stderr) }
}

// The size of a terminal changes while it is written to, so everything but writing is looked up in the stream itself.
function guarded(stream: OutputStream): OutputStream {
  const write = (text: string): unknown => stream.write(showPainted(text))
  return Object.create(stream, {
    write: { value: write },
    replaceLines: { value: (count: number, text: string) => stream.write(`${erase(count)}${showPainted(text)}`) },
  }) as OutputStream
}

/** Moves up and clears from there to the end of the screen (ECMA-48 CUU and ED). */
function erase(count: number): string {
  return count === 0 ? '' : `\u001B[${count}A\u001B[0J`
}
