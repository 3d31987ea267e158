import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'

/** Names a process of this machine as the holder of a lock: host, process id, and what tells machines of one name apart. */
export function holderOf(pid: number): string {
  return `${hostname()}/${pid}/${machine()}-${randomUUID().slice(0, 8)}`
}

/** Whether the holder was a process of this machine that has ended; one of another machine is never known to be dead. */
export function isDeadProcess(holder: string): boolean {
  const [host, pid = '', which = ''] = holder.split('/')
  if (host !== hostname() || !which.startsWith(`${machine()}-`) || !/^\d+$/.test(pid)) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * What is the same for processes that can see each other, and differs elsewhere although the host name may not: two containers or
 * two runners are often called alike, and a process id of one means nothing in the other.
 */
function machine(): string {
  const facts = linuxFacts() ?? Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ mac }) => mac))
  return createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 8)
}

/** The boot of the kernel and the namespace of process ids. */
function linuxFacts(): string[] | undefined {
  try {
    return [readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), readlinkSync('/proc/self/ns/pid')]
  } catch {
    return undefined
  }
}
