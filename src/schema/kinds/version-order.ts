import { compareText } from '../../core/index.ts'

const stages = { alpha: 0, beta: 1, stable: 2 }

/** Orders API versions as discovery does: stable before beta before alpha, newer first, then anything else by name. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)]
  if (x === undefined && y === undefined) return compareText(a, b)
  if (x === undefined || y === undefined) return x === undefined ? 1 : -1
  return y.stage - x.stage || y.major - x.major || y.minor - x.minor
}

function parse(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version)
  if (match === null) return undefined
  const stage = stages[(match[2] ?? 'stable') as keyof typeof stages]
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) }
}
