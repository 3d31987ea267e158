import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from './program.ts'

it.each(allCommands())('%s has a description and an example in its --help', (path, command) => {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) })
  command.outputHelp()
  expect(command.description()).not.toBe('')
  const [, example = ''] = help.split('Example:\n')
  const words = path === 'lading' ? path : `${path} `
  expect(example.startsWith(`  ${words}`)).toBe(true)
})

function allCommands(): [string, Command][] {
  const nowhere = { write: () => undefined }
  const signal = new AbortController().signal
  const program = createProgram({
    stdout: nowhere,
    stderr: nowhere,
    stdin: Readable.from([]),
    env: {},
    cwd: '/',
    signal,
  })
  const below = (command: Command, path: string): [string, Command][] => [
    [path, command],
    ...command.commands.flatMap((child) => below(child, `${path} ${child.name()}`)),
  ]
  return below(program, 'lading')
}
