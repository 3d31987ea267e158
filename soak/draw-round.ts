import { type Random, randomOf } from './random.ts'

/** The kinds of faults that are tried. */
export const faultKinds = [
  'sigkill',
  'sigstop',
  'throttle',
  'server-error',
  'disconnect',
  'slow',
  'token',
  'rbac',
  'clock',
  'store-full',
  'output-full',
] as const

/** One of them. */
export type FaultKind = (typeof faultKinds)[number]

/** Where the records are kept. */
export type Driver = 'secrets' | 'configmap' | 'helm' | 'file'

/** What the release holds: plain objects; workloads in waves with hooks; a CRD with its custom resources. */
export type ContentKind = 'configs' | 'workloads' | 'custom'

/** The operation that the fault strikes. */
export type Operation = 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'drift' | 'apply'

/** What the user does next: the same command again, an upgrade, an upgrade after `recover`, or an uninstall. */
export type Heal = 'again' | 'upgrade' | 'recover' | 'uninstall'

/** Everything that one round does; it follows from the seed and the number of the round. */
export interface Round {
  readonly seed: number
  readonly number: number
  readonly fault: FaultKind
  readonly variant: string
  /** When the fault strikes: the share of the operation's expected writes that come before. */
  readonly moment: number
  readonly driver: Driver
  readonly content: ContentKind
  /** How many ConfigMaps there are besides the others. */
  readonly size: number
  readonly operation: Operation
  readonly heal: Heal
  /** Whether the command is run with `-o json`. */
  readonly json: boolean
  /** Whether another release stands in the same namespace. */
  readonly neighbour: boolean
}

const variants: Readonly<Record<FaultKind, readonly string[]>> = {
  sigkill: ['before the write', 'after the write'],
  sigstop: ['before the write', 'after the write', 'late write'],
  throttle: ['Retry-After 0', 'Retry-After 1'],
  'server-error': ['500', '503', 'both', 'outage'],
  disconnect: ['before the write', 'after the write', 'both', 'outage'],
  slow: ['before the write', 'after the write', 'dripping'],
  token: ['renewed at once', 'renewed after two requests', 'renewed too late'],
  rbac: ['given back after two requests', 'given back too late'],
  clock: ['10 minutes ahead', '10 minutes back'],
  'store-full': ['at the first byte', 'after some bytes'],
  'output-full': ['stdout', 'stderr', 'stdout and stderr'],
}

/** Draws a round; the kinds of faults take turns, so that each is tried equally often. */
export function drawRound(seed: number, number: number, kinds: readonly FaultKind[] = faultKinds): Round {
  const random = randomOf(seed, number)
  const fault = kinds[number % kinds.length] as FaultKind
  const operation = random.pick<Operation>(['install', 'upgrade', 'upgrade', 'rollback', 'uninstall', 'drift', 'apply'])
  return {
    seed,
    number,
    fault,
    variant: random.pick(variants[fault]),
    moment: random.next(),
    driver: driverOf(fault, random),
    content: contentOf(fault, random),
    size: random.between(2, 8),
    operation,
    heal: healOf(fault, operation, random),
    json: random.next() < 0.5,
    neighbour: random.next() < 0.25,
  }
}

function driverOf(fault: FaultKind, random: Random): Driver {
  const driver = random.pick<Driver>(['secrets', 'secrets', 'configmap', 'helm', 'file'])
  return fault === 'store-full' ? 'file' : driver
}

/** An account that may do everything in one namespace cannot make CRDs. */
function contentOf(fault: FaultKind, random: Random): ContentKind {
  const content = random.pick<ContentKind>(['configs', 'configs', 'workloads', 'custom'])
  return fault === 'rbac' && content === 'custom' ? 'configs' : content
}

function healOf(fault: FaultKind, operation: Operation, random: Random): Heal {
  const heal = random.pick<Heal>(['again', 'upgrade', 'upgrade', 'recover', 'uninstall'])
  // After a takeover it is the release of the one that took over that is to be sound; a plan can be applied only once.
  return heal === 'again' && (fault === 'sigstop' || operation === 'apply') ? 'upgrade' : heal
}

/** The round in one line, as it is run again. */
export function describeRound(round: Round): string {
  const { seed, number, fault, variant, operation, driver, content, heal, moment } = round
  const when = `${Math.round(moment * 100)} %`
  return `--seed ${seed} --round ${number}: ${fault} (${variant}) at ${when} of ${operation}, ${content} in ${driver}, then ${heal}`
}
