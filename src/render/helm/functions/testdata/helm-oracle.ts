import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Outcome } from './function-cases.ts'

/** Renders expressions with the real helm, all in one chart; those that fail are taken out, one run each. */
export async function askHelm(
  helm: string,
  expressions: readonly string[],
  valuesFile: string,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const folder = await mkdtemp(join(tmpdir(), 'lading-functions-'))
  try {
    await mkdir(join(folder, 'templates'))
    await writeFile(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: cases\nversion: 0.1.0\n')
    await copyFile(valuesFile, join(folder, 'values.yaml'))
    let rest = expressions.map((_, at) => at)
    for (;;) {
      await writeChart(folder, expressions, rest)
      const { stdout, stderr } = await run(helm, ['template', 'cases', folder, '--namespace', 'here'])
      const failed = failedCase(stderr, rest)
      if (failed === undefined) {
        if (stderr !== '' && stdout === '') throw new Error(`helm said: ${stderr}`)
        for (const [at, output] of readOutputs(stdout)) outcomes.set(expressions[at]!, { output })
        return outcomes
      }
      outcomes.set(expressions[failed.at]!, { error: failed.error })
      rest = rest.filter((at) => at !== failed.at)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// Each case is a template of its own, and comes back in base64: any text survives the manifest.
async function writeChart(folder: string, expressions: readonly string[], numbers: readonly number[]): Promise<void> {
  const defines = numbers.map((at) => `{{- define "case${at}" -}}{{ ${expressions[at]} }}{{- end }}\n`)
  const calls = numbers.map((at) => `case${at}: {{ include "case${at}" . | b64enc | quote }}\n`)
  await writeFile(join(folder, 'templates', '_cases.tpl'), defines.join(''))
  await writeFile(join(folder, 'templates', 'out.yaml'), `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: out}\n${calls.join('')}`)
}

function failedCase(stderr: string, numbers: readonly number[]): { at: number; error: string } | undefined {
  // `fail` and `required` show the outermost place only: the line of the call, after three of the manifest's head.
  const ended = /execution error at \(cases\/templates\/out\.yaml:(\d+):\d+\): ([^]*?)\n\nUse --debug/.exec(stderr)
  if (ended !== null) return { at: numbers[Number(ended[1]) - 4]!, error: ended[2]! }
  const place = /executing "case(\d+)" at </.exec(stderr)
  if (place === null) {
    if (stderr.includes('parse error')) throw new Error(`a case cannot be parsed: ${stderr}`)
    return undefined
  }
  const [message = ''] = stderr.split('\n\nUse --debug')
  return { at: Number(place[1]), error: lastReason(message) }
}

/** What an error of a template says after its last place. */
export function lastReason(message: string): string {
  return message.replace(/^[^]*>:\s+/, '').trim()
}

function readOutputs(stdout: string): [number, string][] {
  return Array.from(stdout.matchAll(/^case(\d+): "([^"]*)"$/gm), ([, at, text]) => [
    Number(at),
    Buffer.from(text ?? '', 'base64').toString('latin1'),
  ])
}

function run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 512 * 1024 * 1024, env: { TZ: 'UTC', HOME: tmpdir() } }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    )
  })
}
