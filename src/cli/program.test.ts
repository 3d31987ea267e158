import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { createProgram } from './program.ts'
import { silentIo } from './testdata/silent-io.ts'

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
  const program = createProgram(silentIo())
  const below = (command: Command, path: string): [string, Command][] => [
    [path, command],
    ...command.commands.flatMap((child) => below(child, `${path} ${child.name()}`)),
  ]
  return below(program, 'lading')
}
