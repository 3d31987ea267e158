import { readFileSync } from 'node:fs'

/** What a running process has used so far. */
export interface ProcessUsage {
  readonly cpuMs: number
  readonly residentBytes: number
  /** The most that `residentBytes` ever was. */
  readonly peakBytes: number
}

/** Reads what a process uses; undefined when it has ended, and where there is no /proc. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const resident = kilobytes(status, 'VmRSS')
    const peak = kilobytes(status, 'VmHWM')
    // A process that has ended and was not waited for has no memory any more.
    if (resident === undefined || peak === undefined) return undefined
    return { cpuMs: cpuTicks(readFileSync(`/proc/${pid}/stat`, 'utf8')) * 10, residentBytes: resident, peakBytes: peak }
  } catch {
    return undefined
  }
}

function kilobytes(status: string, field: string): number | undefined {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  return found === undefined ? undefined : Number(found) * 1024
}

// proc(5): utime and stime are fields 14 and 15, in hundredths of a second; field 2, the name, may hold spaces.
function cpuTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
