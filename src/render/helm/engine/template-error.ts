import { isLadingError, LadingError } from '../../../core/index.ts'
import { warningIn } from '../functions/helm-functions.ts'

/** A template that cannot be parsed, in Helm's words: the place and the end of the chain. */
export function parseError(template: string, error: LadingError): LadingError {
  const tokens = error.message.split(': ')
  const message =
    tokens.length === 1
      ? `parse error in (${template}): ${error.message}`
      : `parse error at (${tokens[1]}): ${tokens.at(-1)}`
  return templateError(message, template, error)
}

/** A template that fails, in Helm's words: the message of `fail` and its place, or a line for each template on the way. */
export function executionError(template: string, error: LadingError): LadingError {
  return templateError(describe(template, error), template, error)
}

function templateError(message: string, template: string, error: LadingError): LadingError {
  return new LadingError('chart.template', message, { ...error.details, file: template }, { cause: error })
}

function describe(template: string, error: LadingError): string {
  const [, location, rest] = splitThrice(error.message)
  if (location === undefined || rest === undefined) return `execution error in (${template}): ${error.message}`
  const failed = warningIn(rest)
  if (failed !== undefined) return `execution error at (${location}): ${failed}`
  const steps = stepsOf(error)
  return steps === undefined ? shortened(error.message) : shortened(steps.map(writeStep).join('').trim())
}

const longest = 8192
const kept = 1024

// A template that includes itself without end fails with a step for each time; nobody reads a thousand of them.
function shortened(message: string): string {
  if (message.length <= longest) return message
  const start = message.slice(0, message.lastIndexOf(': ', kept) + 1)
  const end = message.slice(message.indexOf(': ', message.length - kept) + 2)
  return `${start} […] ${end}`
}

function splitThrice(text: string): string[] {
  const first = text.indexOf(': ')
  const second = first < 0 ? -1 : text.indexOf(': ', first + 2)
  return second < 0 ? [text] : [text.slice(0, first), text.slice(first + 2, second), text.slice(second + 2)]
}

interface Step {
  readonly location: string
  readonly executed: string
  readonly message: string
}

// Any cause that is not the templates' own makes Helm give up on its lines and show the raw message.
function stepsOf(error: unknown): Step[] | undefined {
  const steps: Step[] = []
  for (let current: unknown = error; current !== undefined; current = (current as Error).cause) {
    if (!isLadingError(current, 'template.failed')) return undefined
    const step = parseStep(current.message)
    if (step === undefined) return undefined
    const last = steps.at(-1)
    if (last === undefined || writeStep(last) !== writeStep(step)) steps.push(step)
  }
  return steps
}

function parseStep(message: string): Step | undefined {
  if (!message.startsWith('template: ')) return undefined
  const rest = message.slice('template: '.length)
  if (rest.startsWith('no template ')) return { location: '', executed: '', message }
  return parseExecuting(rest) ?? parseSimple(rest)
}

function parseExecuting(rest: string): Step | undefined {
  const at = rest.indexOf(': executing ')
  if (at < 0) return undefined
  const after = rest.slice(at + ': executing '.length)
  const quote = after.startsWith('"') ? after.indexOf('"', 1) : -1
  if (quote < 0 || !after.startsWith(' at <', quote + 1)) return undefined
  const place = after.slice(quote + 1 + ' at <'.length)
  const end = place.indexOf('>: ')
  if (end < 0) return undefined
  const executed = `executing "${after.slice(1, quote)}" at <${place.slice(0, end)}>:`
  return { location: rest.slice(0, at), executed, message: untilNext(place.slice(end + '>: '.length)) }
}

function parseSimple(rest: string): Step | undefined {
  const at = rest.lastIndexOf(': ')
  if (at < 0) return undefined
  return { location: rest.slice(0, at), executed: '', message: untilNext(rest.slice(at + 2)) }
}

function untilNext(message: string): string {
  const next = message.indexOf(' template:')
  return next < 0 ? message : message.slice(0, next)
}

function writeStep({ location, executed, message }: Step): string {
  const place = location === '' ? '' : `${location}\n  `
  return `${place}${executed === '' ? '' : `${executed}\n    `}${message === '' ? '' : `${message}\n`}`
}
