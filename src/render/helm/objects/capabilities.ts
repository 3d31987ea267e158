import { LadingError } from '../../../core/index.ts'
import { GoFunction, type GoList, GoObject, goType, type GoValue } from '../../gotemplate/value.ts'

/** What templates are told about the cluster. */
export interface Capabilities {
  /** `v1.35.0`, with whatever the distribution appends. */
  readonly kubeVersion: string
  /** `group/version` and `group/version/Kind` of what the cluster serves. */
  readonly apiVersions: readonly string[]
}

// Those of helm 4.1, made with client-go 0.35.
const defaultApiVersions: readonly string[] = [
  'v1',
  ...versions('admissionregistration.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('internal.apiserver.k8s.io', 'v1alpha1'),
  ...versions('apps', 'v1', 'v1beta1', 'v1beta2'),
  ...versions('authentication.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('authorization.k8s.io', 'v1', 'v1beta1'),
  ...versions('autoscaling', 'v1', 'v2', 'v2beta1', 'v2beta2'),
  ...versions('batch', 'v1', 'v1beta1'),
  ...versions('certificates.k8s.io', 'v1', 'v1beta1', 'v1alpha1'),
  ...versions('coordination.k8s.io', 'v1alpha2', 'v1beta1', 'v1'),
  ...versions('discovery.k8s.io', 'v1', 'v1beta1'),
  ...versions('events.k8s.io', 'v1', 'v1beta1'),
  ...versions('extensions', 'v1beta1'),
  ...versions('flowcontrol.apiserver.k8s.io', 'v1', 'v1beta1', 'v1beta2', 'v1beta3'),
  ...versions('networking.k8s.io', 'v1', 'v1beta1'),
  ...versions('node.k8s.io', 'v1', 'v1alpha1', 'v1beta1'),
  ...versions('policy', 'v1', 'v1beta1'),
  ...versions('rbac.authorization.k8s.io', 'v1', 'v1beta1', 'v1alpha1'),
  ...versions('resource.k8s.io', 'v1', 'v1beta2', 'v1beta1', 'v1alpha3'),
  ...versions('scheduling.k8s.io', 'v1alpha1', 'v1beta1', 'v1'),
  ...versions('storage.k8s.io', 'v1beta1', 'v1', 'v1alpha1'),
  ...versions('storagemigration.k8s.io', 'v1beta1'),
  ...versions('apiextensions.k8s.io', 'v1beta1', 'v1'),
]

/** What `helm template` of helm 4.1 assumes, with what `--kube-version` and `--api-versions` change. */
export function defaultCapabilities(
  given: { kubeVersion?: string; apiVersions?: readonly string[] } = {},
): Capabilities {
  return {
    kubeVersion: given.kubeVersion ?? 'v1.35.0',
    apiVersions: [...defaultApiVersions, ...(given.apiVersions ?? [])],
  }
}

/** The parts of a Kubernetes version; `normalized` has no suffix and is what ranges are held against. */
export function parseKubeVersion(text: string): { version: string; normalized: string; major: string; minor: string } {
  const parts = /^\s*v?((\d+)\.(\d+)(?:\.\d+)*)/.exec(text)
  if (parts === null) {
    throw new LadingError('values.invalid', `invalid kube version '${text}': it must look like 1.35.0`, {
      version: text,
    })
  }
  const numbers = (parts[1] ?? '').split('.').slice(0, 3).map(Number)
  while (numbers.length < 3) numbers.push(0)
  const [major, minor] = numbers
  return {
    version: text.startsWith('v') ? text : `v${text}`,
    normalized: `v${numbers.join('.')}`,
    major: String(major),
    minor: String(minor),
  }
}

/** `.Capabilities`. */
export function capabilitiesObject(capabilities: Capabilities): GoObject {
  const kubeVersion = new KubeVersion(capabilities.kubeVersion)
  const apiVersions = new VersionSet(capabilities.apiVersions)
  return new Struct('*common.Capabilities', [
    ['KubeVersion', kubeVersion],
    ['APIVersions', apiVersions],
    ['HelmVersion', new HelmVersion()],
  ])
}

function versions(group: string, ...names: string[]): string[] {
  return names.map((name) => `${group}/${name}`)
}

class Struct extends GoObject {
  readonly typeName: string
  readonly #fields: readonly (readonly [string, GoValue])[]

  constructor(typeName: string, fields: readonly (readonly [string, GoValue])[]) {
    super()
    this.typeName = typeName
    this.#fields = fields
  }

  override member(name: string): GoValue {
    // Fields that Go does not export are printed, but no template reaches them.
    return /^[A-Z]/.test(name) ? this.#fields.find(([field]) => field === name)?.[1] : undefined
  }

  override fields() {
    return this.#fields
  }
}

class KubeVersion extends Struct {
  readonly #version: string
  readonly #normalized: string

  constructor(text: string) {
    const { version, normalized, major, minor } = parseKubeVersion(text)
    super('common.KubeVersion', [
      ['Version', version],
      ['normalizedVersion', normalized],
      ['Major', major],
      ['Minor', minor],
    ])
    this.#version = version
    this.#normalized = normalized
  }

  override member(name: string): GoValue {
    // The methods are the pointer's: templates reach them, printf and toString do not.
    if (name === 'GitVersion') return this.#version
    return name === 'String' ? this.#normalized : super.member(name)
  }

  override addressedText(): string {
    return this.#normalized
  }
}

class HelmVersion extends Struct {
  // Charts ask which Helm renders them; this is the one whose output Lading gives.
  constructor() {
    super('version.BuildInfo', [
      ['Version', 'v4.1.4'],
      ['GitCommit', '05fa37973dc9e42b76e1d2883494c87174b6074f'],
      ['GitTreeState', 'clean'],
      ['GoVersion', 'go1.25.9'],
      ['KubeClientVersion', 'v1.35'],
    ])
  }

  json(): GoValue {
    const json = Object.create(null) as Record<string, GoValue>
    for (const [name, value] of this.fields()) {
      json[name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()] = value
    }
    return json
  }
}

class VersionSet extends GoObject {
  readonly typeName = 'common.VersionSet'
  readonly #list: GoList
  readonly #has: GoFunction

  constructor(list: readonly string[]) {
    super()
    this.#list = Object.assign([...list] as GoList, { [goType]: '[]string' })
    const known = new Set(list)
    this.#has = new GoFunction('Has', ['string'], ([version]) => known.has(version as string))
  }

  override member(name: string): GoValue {
    return name === 'Has' ? this.#has : undefined
  }

  override underlying(): GoValue {
    return this.#list
  }
}
