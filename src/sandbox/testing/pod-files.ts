import { posix } from 'node:path'
import { readTar, writeTar } from '../../core/tar/index.ts'
import type { ExecScript } from '../streams/scripts.ts'

/** A script that answers `tar` and `test -d` over files in memory, as far as copying needs them. */
export function podFiles(files: Map<string, Uint8Array>): ExecScript {
  return async ({ command, stdin }) => {
    const [program = '', ...args] = command
    if (program === 'test') return { exitCode: 1 }
    if (program !== 'tar') return undefined
    const at = args.indexOf('-C')
    const folder = at < 0 ? '/' : (args[at + 1] ?? '/')
    if (args.some((one) => /^-?x/.test(one))) {
      const archive = Buffer.concat(await Array.fromAsync(stdin))
      for (const { name, type, content } of readTar(archive, { strict: true })) {
        if (type === 'file') files.set(posix.join(folder, name), Buffer.from(content))
      }
      return {}
    }
    const asked = posix.join(folder, args.at(-1) ?? '')
    const found = [...files].filter(([name]) => name === asked || name.startsWith(`${asked}/`))
    if (found.length === 0) return { stderr: `tar: ${asked}: No such file or directory\n`, exitCode: 2 }
    return { stdout: writeTar(found.map(([name, content]) => [posix.relative(folder, name), { content }])) }
  }
}
