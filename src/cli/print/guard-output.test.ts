import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { paint, showPainted } from './colour.ts'
import { guardOutput } from './guard-output.ts'
import type { OutputStream } from '../io.ts'
import { runCli } from '../testdata/run-cli.ts'
import { silentIo } from '../testdata/silent-io.ts'

const clear = '\u001B[2J'
const title = '\u001B]0;owned\u0007'

it.each([
  [clear, '\\u001b[2J'],
  [title, '\\u001b]0;owned\\u0007'],
  ['\u009B2J', '\\u009b2J'],
  ['done\rundone', 'done\\u000dundone'],
  ['a\b\u007F', 'a\\u0008\\u007f'],
  ['\u202Egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
  ['\u001B[8mhidden', '\\u001b[8mhidden'],
  ['\u001B[31mred', '\\u001b[31mred'],
  ['a\u2028b\u200F\u061C', 'a\\u2028b\\u200f\\u061c'],
])('shows what %j would do, instead of doing it', (text, shown) => {
  expect(showPainted(text)).toBe(shown)
})

it('lets lines, tabs, every script and the colours of the printers pass', () => {
  const colour = paint({ write: () => undefined, isTTY: true }, {})
  const text = `${colour('rot', 'red')} ${colour('fett', 'bold')}\n\tÄ 日本語 שלום\n`
  expect(showPainted(text)).toBe('\u001B[31mrot\u001B[39m \u001B[1mfett\u001B[22m\n\tÄ 日本語 שלום\n')
})

it('leaves the meaning of JSON as it is', () => {
  const data = { name: `a\u007F\u009B\u202E${clear}` }
  expect(JSON.parse(showPainted(JSON.stringify(data)))).toEqual(data)
})

it('keeps data that goes to a file byte for byte, and guards a terminal', () => {
  expect(written({}, (stdout) => stdout.write(clear))).toBe(clear)
  expect(written({ isTTY: true }, (stdout) => stdout.write(clear))).toBe('\\u001b[2J')
})

it('follows the size of the terminal', () => {
  const stream = { write: () => undefined, isTTY: true, columns: 80 }
  const { stderr } = guarded({ stderr: stream })
  stream.columns = 120
  expect(stderr).toMatchObject({ columns: 120 })
})

it('an error that quotes a hostile name does not drive the terminal', async () => {
  const { stderr, code } = await runCli({ cwd: tmpdir() }, 'template', 'shop', `./${title}${clear}.yaml`)
  expect(code).toBe(3)
  expect(stderr).toContain('\\u001b]0;owned\\u0007\\u001b[2J.yaml does not exist')
})

function written(kind: Partial<OutputStream>, write: (stdout: OutputStream) => unknown): string {
  let text = ''
  write(guarded({ stdout: { write: (piece) => (text += piece), ...kind } }).stdout)
  return text
}

function guarded(streams: { readonly stdout?: OutputStream; readonly stderr?: OutputStream }) {
  return guardOutput(silentIo(streams))
}
