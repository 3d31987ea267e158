import crypto from 'node:crypto'
import module from 'node:module'
import os from 'node:os'
import v8 from 'node:v8'
import { denied, replace } from './denial.ts'

/** Takes away what Node's permissions leave: other processes, databases, and what would show the machine in the output. */
export function denyMachine(): void {
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'execve', 'loadEnvFile', 'setSourceMapsEnabled']) {
    replace(process, name, denied(`process.${name} is not allowed`))
  }
  replace(process, '_getActiveHandles', () => [])
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot']) {
    replace(v8, name, denied(`v8.${name} is not allowed`))
  }
  // A hook could load files whose real path is outside of what may be read.
  for (const name of ['registerHooks', 'register', 'setSourceMapsSupport', 'enableCompileCache']) {
    replace(module, name, denied(`module.${name} is not allowed`))
  }
  for (const name of ['setEngine', 'setFips']) replace(crypto, name, denied(`crypto.${name} is not allowed`))
  denyDatabase()
  replace(os, 'setPriority', denied('os.setPriority is not allowed'))
  replace(os, 'userInfo', denied('os.userInfo is not allowed'))
  replace(os, 'hostname', () => 'localhost')
  replace(os, 'networkInterfaces', () => ({}))
  replace(os, 'homedir', () => '/')
}

// SQLite opens files by itself, whatever the permissions say.
function denyDatabase(): void {
  const sqlite: object = process.getBuiltinModule('node:sqlite') ?? {}
  for (const [name, value] of Object.entries(sqlite)) {
    if (typeof value === 'function') replace(sqlite, name, denied('node:sqlite is not allowed'))
  }
}
