import { readFileSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { createProgram } from '../src/cli/program.ts'
import { errorTable } from '../src/core/index.ts'
import { componentJsonSchema } from '../src/pipeline/index.ts'

/** The generated reference: file name below docs/reference → text. */
export function referencePages(): Record<string, string> {
  const schema = `${JSON.stringify(componentJsonSchema(), null, 2)}\n`
  return { 'errors.md': errorsPage(), 'cli.md': cliPage(), 'component.schema.json': schema }
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([code, { status, exit, retryable, next }]) =>
      `| \`${code}\` | ${status} | ${exit} | ${retryable ? 'yes' : 'no'} | ${next} |`,
  )
  return [
    '# Errors',
    '',
    'Every failure has one of these codes. The gateway answers with the HTTP status, the CLI ends with the exit code.',
    'Generated from the error table by `npm run docs`; do not edit.',
    '',
    '| code | HTTP | exit | retry may help | next step |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function cliPage(): string {
  const nowhere = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { columns: 100 })
  const io = {
    stdout: nowhere,
    stderr: nowhere,
    stdin: process.stdin,
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
  }
  const sections = commandSections(createProgram(io), 'lading')
  return ['# Command line', '', 'Generated from the commands by `npm run docs`; do not edit.', '', ...sections].join(
    '\n',
  )
}

function commandSections(command: Command, path: string): string[] {
  // Commander's own help shows a terminal's width; a fixed one keeps the page the same everywhere.
  let help = ''
  command.configureOutput({
    writeOut: (text) => (help += text),
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  const own = [`## \`${path}\``, '', '```text', help.trimEnd(), '```', '']
  const children = command.commands.filter((child) => child.name() !== 'help')
  return [...own, ...children.flatMap((child) => commandSections(child, `${path} ${child.name()}`))]
}

if (import.meta.main) {
  const stale: string[] = []
  for (const [name, text] of Object.entries(referencePages())) {
    const file = new URL(`../docs/reference/${name}`, import.meta.url)
    if (!process.argv.includes('--check')) writeFileSync(file, text)
    else if (readPage(file) !== text) stale.push(name)
  }
  if (stale.length > 0) {
    console.error(`docs/reference is out of date (${stale.join(', ')}): run \`npm run docs\``)
    process.exitCode = 1
  }
}

function readPage(file: URL): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
