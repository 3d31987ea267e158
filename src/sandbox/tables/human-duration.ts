const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** A duration in at most two units, as kubectl's tables show it. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 2 * minute) return `${seconds}s`
  if (seconds < 10 * minute) return two(seconds, minute, 'm', 1, 's')
  if (seconds < 3 * hour) return `${Math.trunc(seconds / minute)}m`
  if (seconds < 8 * hour) return two(seconds, hour, 'h', minute, 'm')
  if (seconds < 2 * day) return `${Math.trunc(seconds / hour)}h`
  if (seconds < 8 * day) return two(seconds, day, 'd', hour, 'h')
  if (seconds < 2 * year) return `${Math.trunc(seconds / day)}d`
  if (seconds < 8 * year) return two(seconds, year, 'y', day, 'd')
  return `${Math.trunc(seconds / year)}y`
}

/** How long ago a timestamp is; `<unknown>` without one. */
export function ageSince(timestamp: unknown, now: number): string {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? '<unknown>' : humanDuration(now - time)
}

function two(seconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.trunc((seconds % big) / small)
  const whole = `${Math.trunc(seconds / big)}${bigUnit}`
  return rest === 0 ? whole : `${whole}${rest}${smallUnit}`
}
