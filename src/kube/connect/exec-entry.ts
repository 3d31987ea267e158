import { resolve } from 'node:path'
import { LadingError } from '../../core/index.ts'
import type { Fields } from './fields.ts'

/** A program that gives credentials, as a kubeconfig's `exec` section describes it. */
export interface ExecEntry {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly interactive: 'Never' | 'IfAvailable' | 'Always'
  readonly provideClusterInfo: boolean
  readonly installHint?: string
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** Reads an `exec` section; refused where the kubeconfig is somebody else's, which would let it run anything here. */
export function readExecEntry(fields: Fields): ExecEntry {
  const { name, directory } = fields.source
  if (directory === undefined) {
    const message = `${name}: ${fields.path} would run a program on this machine`
    throw new LadingError('kubeconfig.exec-refused', message, { file: name, field: fields.path })
  }
  const apiVersion = fields.text('apiVersion')
  if (apiVersion === undefined || !versions.includes(apiVersion)) {
    throw fields.invalid('apiVersion', `must be ${versions.join(' or ')}`)
  }
  const command = fields.text('command')
  if (command === undefined) throw fields.invalid('command', 'is missing')
  const installHint = fields.text('installHint')
  return {
    apiVersion,
    // A bare name is looked up in PATH; one with a slash starts from the kubeconfig's directory, as in kubectl.
    command: /[/\\]/.test(command) ? resolve(directory, command) : command,
    args: fields.texts('args'),
    env: Object.fromEntries(fields.maps('env').map(variable)),
    interactive: interactiveMode(fields, apiVersion),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    installHint,
  }
}

function variable(fields: Fields): [string, string] {
  const name = fields.text('name')
  if (name === undefined) throw fields.invalid('name', 'is missing')
  return [name, fields.text('value') ?? '']
}

function interactiveMode(fields: Fields, apiVersion: string): ExecEntry['interactive'] {
  const mode = fields.text('interactiveMode')
  if (mode === undefined) {
    if (apiVersion === versions[0]) throw fields.invalid('interactiveMode', 'is missing')
    return 'IfAvailable'
  }
  if (mode === 'Never' || mode === 'IfAvailable' || mode === 'Always') return mode
  throw fields.invalid('interactiveMode', 'must be Never, IfAvailable or Always')
}
