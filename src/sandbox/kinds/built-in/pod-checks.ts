import {
  isDnsLabel,
  isDnsSubdomain,
  isLabelValue,
  isPortName,
  isQualifiedName,
  stringifyJson,
} from '../../../core/index.ts'
import type { Cause } from '../../status-error.ts'
import { partOf } from '../../object-parts.ts'
import { duplicate, forbiddenField, invalidValue, notFoundValue, required } from '../causes.ts'
import type { Check } from '../family.ts'
import { isAddress, isPort } from '../formats.ts'
import { quantityAmount } from '../quantity.ts'
import { numberOf, type Part, partsOf, textOf } from '../read.ts'

/** What is checked of Pods and of pod templates alike. */
export const podChecks: Readonly<Record<string, Check>> = {
  'core.v1.PodTemplateSpec': checkTemplate,
  'core.v1.PodSpec': checkSpec,
  'core.v1.Container': checkContainer,
  'core.v1.ContainerPort': checkPort,
  'core.v1.EnvVar': checkVariable,
  'core.v1.Probe': checkProbe,
  'core.v1.HTTPGetAction': (action, path, causes) => checkPortOrName(action['port'], `${path}port`, causes),
  'core.v1.TCPSocketAction': (action, path, causes) => checkPortOrName(action['port'], `${path}port`, causes),
  'core.v1.Toleration': checkToleration,
  'core.v1.ResourceRequirements': checkResources,
  'core.v1.Volume': checkVolume,
  'core.v1.SecretVolumeSource': (source, path, causes) => {
    if (textOf(source, 'secretName') === '') causes.push(required(`${path}secretName`))
    checkMode(source, path, causes)
  },
  'core.v1.ConfigMapVolumeSource': (source, path, causes) => {
    if (textOf(source, 'name') === '') causes.push(required(`${path}name`))
    checkMode(source, path, causes)
  },
  'core.v1.HostAlias': (alias, path, causes) => {
    const ip = textOf(alias, 'ip')
    if (!isAddress(ip)) causes.push(invalidValue(`${path}ip`, ip, 'must be a valid IP address'))
  },
}

const portMessage = 'must be between 1 and 65535, inclusive'
const labelMessage = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'"

function checkTemplate(template: Part, path: string, causes: Cause[]): void {
  const metadata = partOf(template, 'metadata')
  for (const [key, value] of Object.entries(partOf(metadata, 'labels'))) {
    if (!isQualifiedName(key)) causes.push(invalidValue(`${path}labels`, key, 'must be a qualified name'))
    if (!isLabelValue(String(value))) causes.push(invalidValue(`${path}labels`, value, 'must be a valid label value'))
  }
  for (const key of Object.keys(partOf(metadata, 'annotations'))) {
    if (!isQualifiedName(key.toLowerCase()))
      causes.push(invalidValue(`${path}annotations`, key, 'must be a qualified name'))
  }
}

function checkSpec(spec: Part, path: string, causes: Cause[]): void {
  const containers = partsOf(spec, 'containers')
  if (containers.length === 0) causes.push(required(`${path}containers`))
  checkNames(partsOf(spec, 'volumes'), `${path}volumes`, causes)
  const named = new Set<string>()
  for (const list of ['initContainers', 'containers']) {
    partsOf(spec, list).forEach((container, index) => {
      const name = textOf(container, 'name')
      if (name !== '' && named.has(name)) causes.push(duplicate(`${path}${list}[${index}].name`, name))
      named.add(name)
      checkMounts(spec, container, `${path}${list}[${index}].`, causes)
    })
  }
  const deadline = numberOf(spec, 'activeDeadlineSeconds')
  if (deadline !== undefined && deadline < 1) {
    causes.push(invalidValue(`${path}activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'))
  }
  for (const field of ['hostname', 'subdomain']) {
    const name = textOf(spec, field)
    if (name !== '' && !isDnsLabel(name)) causes.push(invalidValue(path + field, name, labelMessage))
  }
  for (const key of Object.keys(partOf(spec, 'nodeSelector'))) {
    if (!isQualifiedName(key)) causes.push(invalidValue(`${path}nodeSelector`, key, 'must be a qualified name'))
  }
  const account = textOf(spec, 'serviceAccountName')
  if (account !== '' && !isDnsSubdomain(account))
    causes.push(invalidValue(`${path}serviceAccountName`, account, labelMessage))
}

const nonNegative = 'must be greater than or equal to 0'

function checkNames(parts: readonly Part[], path: string, causes: Cause[]): void {
  const seen = new Set<string>()
  parts.forEach((part, index) => {
    const name = textOf(part, 'name')
    if (name !== '' && !isDnsLabel(name)) causes.push(invalidValue(`${path}[${index}].name`, name, labelMessage))
    else if (seen.has(name)) causes.push(duplicate(`${path}[${index}].name`, name))
    seen.add(name)
  })
}

function checkMounts(spec: Part, container: Part, path: string, causes: Cause[]): void {
  const mounts = partsOf(container, 'volumeMounts')
  if (mounts.length === 0) return
  const volumes = new Set(partsOf(spec, 'volumes').map((volume) => volume['name']))
  const paths = new Set<string>()
  mounts.forEach((mount, index) => {
    const at = `${path}volumeMounts[${index}].`
    if (mount['name'] !== '' && !volumes.has(mount['name'])) causes.push(notFoundValue(`${at}name`, mount['name']))
    const target = textOf(mount, 'mountPath')
    if (target !== '' && paths.has(target)) causes.push(invalidValue(`${at}mountPath`, target, 'must be unique'))
    paths.add(target)
  })
}

function checkContainer(container: Part, path: string, causes: Cause[]): void {
  const name = textOf(container, 'name')
  if (name !== '' && !isDnsLabel(name)) causes.push(invalidValue(`${path}name`, name, labelMessage))
  const image = textOf(container, 'image')
  if (image === '') causes.push(required(`${path}image`))
  else if (image.trim() !== image)
    causes.push(invalidValue(`${path}image`, image, 'must not have leading or trailing whitespace'))
  const seen = new Set<string>()
  partsOf(container, 'ports').forEach((port, index) => {
    const portName = textOf(port, 'name')
    if (portName !== '' && seen.has(portName)) causes.push(duplicate(`${path}ports[${index}].name`, portName))
    seen.add(portName)
  })
  for (const probe of ['livenessProbe', 'startupProbe']) {
    const threshold = numberOf(partOf(container, probe), 'successThreshold') ?? 1
    if (threshold !== 1) causes.push(invalidValue(`${path}${probe}.successThreshold`, threshold, 'must be 1'))
  }
}

function checkPort(port: Part, path: string, causes: Cause[]): void {
  const name = textOf(port, 'name')
  if (name !== '' && !isPortName(name)) causes.push(invalidValue(`${path}name`, name, 'must be an IANA service name'))
  const number = numberOf(port, 'containerPort') ?? 0
  if (number === 0) causes.push(required(`${path}containerPort`))
  else if (!isPort(number)) causes.push(invalidValue(`${path}containerPort`, number, portMessage))
  const host = numberOf(port, 'hostPort')
  if (host !== undefined && !isPort(host)) causes.push(invalidValue(`${path}hostPort`, host, portMessage))
}

function checkPortOrName(port: unknown, path: string, causes: Cause[]): void {
  const good = typeof port === 'string' ? isPortName(port) : isPort(port)
  if (!good) causes.push(invalidValue(path, port, portMessage))
}

function checkVariable(variable: Part, path: string, causes: Cause[]): void {
  if (variable['value'] !== undefined && variable['valueFrom'] !== undefined) {
    causes.push(invalidValue(`${path}valueFrom`, '', 'may not be specified when `value` is not empty'))
  }
  const name = textOf(variable, 'name')
  if (/[=\0]/.test(name)) causes.push(invalidValue(`${path}name`, name, 'must not contain "="'))
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc']

function checkProbe(probe: Part, path: string, causes: Cause[]): void {
  const [first, ...more] = handlers.filter((handler) => probe[handler] !== undefined)
  if (first === undefined) causes.push(required(path.slice(0, -1), 'must specify a handler type'))
  for (const other of more) causes.push(forbiddenField(path + other, 'may not specify more than 1 handler type'))
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ]) {
    const value = numberOf(probe, field)
    if (value !== undefined && value < 0) causes.push(invalidValue(path + field, value, nonNegative))
  }
}

function checkToleration(toleration: Part, path: string, causes: Cause[]): void {
  const { key = '', operator = 'Equal', value = '', effect, tolerationSeconds } = toleration
  if (key === '' && operator !== 'Exists') {
    causes.push(invalidValue(`${path}operator`, operator, 'operator must be Exists when `key` is empty'))
  }
  if (operator === 'Exists' && value !== '') {
    causes.push(invalidValue(`${path}operator`, toleration, 'value must be empty when `operator` is Exists'))
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    causes.push(
      invalidValue(`${path}effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    )
  }
}

function checkResources(resources: Part, path: string, causes: Cause[]): void {
  const limits = partOf(resources, 'limits')
  for (const list of ['limits', 'requests']) {
    for (const [name, quantity] of Object.entries(partOf(resources, list))) {
      const amount = quantityAmount(quantity) ?? 0n
      if (amount < 0n) causes.push(invalidValue(`${path}${list}[${name}]`, quantity, nonNegative))
      if (list === 'requests' && limits[name] !== undefined && amount > (quantityAmount(limits[name]) ?? 0n)) {
        causes.push(
          invalidValue(
            `${path}requests`,
            quantity,
            `must be less than or equal to ${name} limit of ${stringifyJson(limits[name])}`,
          ),
        )
      }
    }
  }
}

function checkVolume(volume: Part, path: string, causes: Cause[]): void {
  const sources = Object.keys(volume).filter((field) => field !== 'name')
  // Sources are looked at in the order of the Go type, where emptyDir is among the first.
  const [, ...more] = sources.sort((a, b) => Number(b === 'emptyDir') - Number(a === 'emptyDir'))
  for (const source of more) causes.push(forbiddenField(path + source, 'may not specify more than 1 volume type'))
}

function checkMode(source: Part, path: string, causes: Cause[]): void {
  const mode = numberOf(source, 'defaultMode')
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    causes.push(invalidValue(`${path}defaultMode`, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
  }
}
