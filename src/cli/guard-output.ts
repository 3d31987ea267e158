import type { Io, OutputStream } from './io.ts'

/**
 * The same streams, but what others wrote into names, messages, logs and notes cannot drive the terminal there: control characters
 * are shown, not done. Data that goes to a file or a pipe stays as it is, byte for byte.
 */
export function guardOutput(io: Io): Io {
  return { ...io, stdout: io.stdout.isTTY === true ? guarded(io.stdout) : io.stdout, stderr: guarded(io.stderr) }
}

/**
 * A text with its control characters, and those that turn the direction of writing, spelt as JSON escapes, so that JSON still says the same.
 * Lines, tabs and the printers' own colours pass.
 */
export function showControls(text: string): string {
  return text.replaceAll(controls, (found) =>
    found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const controls =
  // oxlint-disable-next-line no-control-regex
  /\u001B\[(?:[12]|22|3[1-69])m|\r\n|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

// The size of a terminal changes while it is written to, so everything but writing is looked up in the stream itself.
function guarded(stream: OutputStream): OutputStream {
  const write = (text: string): unknown => stream.write(showControls(text))
  return Object.create(stream, {
    write: { value: write },
    replaceLines: { value: (count: number, text: string) => stream.write(`${erase(count)}${showControls(text)}`) },
  }) as OutputStream
}

/** Moves up and clears from there to the end of the screen (ECMA-48 CUU and ED). */
function erase(count: number): string {
  return count === 0 ? '' : `\u001B[${count}A\u001B[0J`
}
