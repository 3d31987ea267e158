import { isRecord } from '../core/index.ts'
import { type Extensions, invalidRequest } from '../deployment/index.ts'

/** The form of an extension. */
type Form = 'text' | 'flag' | 'map' | 'list' | 'duration'

const shared: Readonly<Record<string, Form>> = {
  'flux.type': 'text',
  'flux.sourceRef': 'text',
  'flux.sourceKind': 'text',
  'flux.sourceNamespace': 'text',
  'flux.targetNamespace': 'text',
  'flux.interval': 'duration',
  'flux.timeout': 'duration',
  'flux.suspend': 'flag',
  'flux.force': 'flag',
  'flux.dependsOn': 'list',
  'flux.serviceAccountName': 'text',
}

const own: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  HelmRelease: {
    ...shared,
    'flux.chart': 'text',
    'flux.chartVersion': 'text',
    'flux.chartRef': 'map',
    'flux.releaseName': 'text',
    'flux.valuesFrom': 'list',
    'flux.driftDetection': 'map',
    'flux.remediation': 'map',
    'flux.createNamespace': 'flag',
  },
  Kustomization: {
    ...shared,
    'flux.path': 'text',
    'flux.targetRevision': 'text',
    'flux.prune': 'flag',
    'flux.wait': 'flag',
    'flux.postBuild': 'map',
    'flux.patches': 'list',
    'flux.components': 'list',
  },
}

/** What an adapter says and nobody can set. */
const readOnly: ReadonlySet<string> = new Set(['flux.namespace', 'flux.message', 'flux.lastAppliedRevision'])

const durationPattern = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/

/** Checks the `flux.` extensions of a request; what is read-only is accepted where it says what is so already. */
export function checkExtensions(extensions: Extensions, kind: string, current: Extensions = {}): void {
  const known = own[kind] ?? {}
  for (const [name, value] of Object.entries(extensions)) {
    if (!name.startsWith('flux.')) continue
    if (readOnly.has(name)) {
      if (value !== current[name]) throw invalidRequest(`${name} is read-only: leave it out`, { field: name })
      continue
    }
    const form = known[name]
    if (form === undefined) {
      throw invalidRequest(`${name} is not an extension of a ${kind}; there are ${Object.keys(known).join(', ')}`, {
        field: name,
      })
    }
    if (value !== null && !hasForm(value, form)) {
      throw invalidRequest(`${name} must be ${words[form]}`, { field: name })
    }
  }
}

const words: Readonly<Record<Form, string>> = {
  text: 'text that is not empty',
  flag: 'true or false',
  map: 'an object',
  list: 'a list of objects',
  duration: 'a duration such as 5m or 1h30m',
}

function hasForm(value: unknown, form: Form): boolean {
  switch (form) {
    case 'text':
      return typeof value === 'string' && value !== ''
    case 'flag':
      return typeof value === 'boolean'
    case 'map':
      return isRecord(value)
    case 'list':
      return Array.isArray(value) && value.every((one) => isRecord(one) || typeof one === 'string')
    case 'duration':
      return typeof value === 'string' && durationPattern.test(value)
  }
}

/** An extension that is text; undefined where it is absent or removed. */
export function textExtension(extensions: Extensions, name: string): string | undefined {
  const value = extensions[name]
  return typeof value === 'string' ? value : undefined
}
