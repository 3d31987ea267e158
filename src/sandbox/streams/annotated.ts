import { isRecord, type KubeObject, parseJson } from '../../core/index.ts'
import { badRequest } from '../status-error.ts'
import type { ExecAnswer } from './scripts.ts'

const execAnnotation = 'lading.dev/simulate-exec'
const portAnnotation = 'lading.dev/simulate-port-forward'

/** The answer that a pod's annotation gives to a command: the first rule with this command, or with none. */
export function annotatedExec(pod: KubeObject, command: readonly string[]): ExecAnswer | undefined {
  const rules = parsed(pod, execAnnotation)
  if (rules === undefined) return undefined
  if (!Array.isArray(rules) || !rules.every(isRule)) {
    throw badRequest(`annotation ${execAnnotation} is not a JSON list of {command, stdout, stderr, exitCode}`)
  }
  return rules.find((rule) => rule.command === undefined || rule.command.join('\0') === command.join('\0'))
}

/** What a pod's annotation answers on a port. */
export function annotatedPort(pod: KubeObject, port: number): string | undefined {
  const ports = parsed(pod, portAnnotation)
  if (ports === undefined) return undefined
  if (!isRecord(ports)) throw badRequest(`annotation ${portAnnotation} is not a JSON object of port and text`)
  const answer = ports[String(port)]
  return typeof answer === 'string' ? answer : undefined
}

function parsed(pod: KubeObject, annotation: string): unknown {
  const text = pod.metadata.annotations?.[annotation]
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch {
    throw badRequest(`annotation ${annotation} is not JSON`)
  }
}

type Rule = ExecAnswer & { readonly command?: readonly string[] }

function isRule(value: unknown): value is Rule {
  if (!isRecord(value)) return false
  const { command, stdout = '', stderr = '', exitCode = 0 } = value
  const words = command === undefined || (Array.isArray(command) && command.every((word) => typeof word === 'string'))
  return words && typeof stdout === 'string' && typeof stderr === 'string' && Number.isInteger(exitCode)
}
