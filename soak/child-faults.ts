// Loaded into a process of Lading before Lading itself (node --import): moves its clock, or fills its disk, when it is told to.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { ChildOrder } from './run-lading.ts'

let shiftMs = 0
let disk: Extract<ChildOrder, { type: 'disk' }> | undefined

process.on('message', (order: ChildOrder) => {
  if (order.type === 'clock') shiftMs += order.ms
  else disk = order
  process.send?.('done')
})
// The channel alone must not keep the process alive.
process.channel?.unref()

const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shiftMs] : args, newTarget) as Date,
  get: (target, key, receiver) =>
    key === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, key, receiver) as unknown),
})

const { open, writeFile, mkdir } = fs.promises
Object.assign(fs.promises, {
  open: async (path: fs.PathLike, flags?: string | number, mode?: fs.Mode) => {
    const file = await open(path, flags, mode)
    if (!isFull(path)) return file
    const room = disk?.room ?? 0
    return Object.assign(file, {
      writeFile: async (bytes: Uint8Array) => {
        // As much as there is room for stands in the file.
        await file.write(bytes.subarray(0, Math.min(room, bytes.length)))
        throw noSpace(path)
      },
    })
  },
  writeFile: (async (path, data, options) => {
    if (typeof path === 'string' && isFull(path)) throw noSpace(path)
    await writeFile(path, data, options)
  }) satisfies typeof writeFile,
  mkdir: (async (path: fs.PathLike, options?: fs.MakeDirectoryOptions) => {
    // A folder that is there needs no room.
    if (isFull(path) && !fs.existsSync(path)) throw noSpace(path)
    return await mkdir(path, options)
  }) as typeof mkdir,
})
syncBuiltinESMExports()

function isFull(path: fs.PathLike): boolean {
  return disk !== undefined && String(path).startsWith(disk.folder)
}

function noSpace(path: fs.PathLike): Error {
  process.send?.('full')
  const message = `ENOSPC: no space left on device, write '${String(path)}'`
  return Object.assign(new Error(message), { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
