import { expect, test } from 'vitest'
import { isLadingError, type LadingError } from '../../core/index.ts'
import { parseComponent } from './read-component.ts'

const toml = `type = "kubernetes_manifest"
name = "shop"
namespace = "shop-{{ .inputs.stage }}"
drift_schedule = "*/10 * * * *"
build_timeout = "90s"

[kustomize]
path = "overlays/prod"
patches = [
  "patches/a.yaml",
]
enable_helm = true

[public_repo]
repo = "https://git.example/shop.git"
directory = "deploy"
branch = "main"

[inputs.stage]
default = "prod"

[health]
stabilization_window = "10s"
[[health.probes]]
kind = "Deployment"
name = "web"
type = "http"
port = 8080
path = "/healthz"
`

test('a component in TOML is read with everything that it says', () => {
  expect(parseComponent(toml, 'toml', '/work/shop.toml')).toEqual({
    name: 'shop',
    namespace: 'shop-{{ .inputs.stage }}',
    source: {
      type: 'kustomize',
      path: 'overlays/prod',
      patches: ['patches/a.yaml'],
      enableHelm: true,
      loadRestrictor: 'rootOnly',
      git: { url: 'https://git.example/shop.git', directory: 'deploy', submodules: false, ref: 'main' },
    },
    inputs: { stage: { default: 'prod' } },
    driftSchedule: '*/10 * * * *',
    buildTimeoutMs: 90_000,
    deployTimeoutMs: 900_000,
    maxAutoRetries: 0,
    dependencies: [],
    health: {
      enabled: true,
      stabilizationMs: 10_000,
      probes: [{ kind: 'Deployment', name: 'web', type: 'http', port: '8080', path: '/healthz' }],
    },
    file: '/work/shop.toml',
    folder: '/work',
  })
})

test('the same component in YAML and in JSON is the same', () => {
  const yaml = 'type: kubernetes_manifest\nname: a\nnamespace: b\nmanifest: x.yaml\n'
  const json = '{"type":"kubernetes_manifest","name":"a","namespace":"b","manifest":"x.yaml"}'
  expect(parseComponent(yaml, 'yaml', '/c/a.yaml')).toEqual({
    ...parseComponent(json, 'json', '/c/a.json'),
    file: '/c/a.yaml',
  })
})

const base = 'type = "kubernetes_manifest"\nname = "a"\nnamespace = "b"\n'

test.each([
  ['an unknown key', `${base}manifest = "x"\nmanifests = "y"\n`, 'c.toml:5: manifests is no field of a component'],
  [
    'an unknown key of a table',
    `${base}[kustomize]\npath = "x"\npatch = ["y"]\n`,
    'c.toml:6: kustomize.patch is no field of a component',
  ],
  [
    'an unknown load restrictor',
    `${base}[kustomize]\npath = "x"\nload_restrictor = "LoadRestrictionsNone"\n`,
    'c.toml:6: kustomize.load_restrictor must be "rootOnly" or "none"',
  ],
  ['an empty path', `${base}[kustomize]\npath = ""\n`, 'c.toml:5: kustomize.path must not be empty'],
  ['nothing to build', base, 'c.toml:2: name has nothing to build'],
  ['two sources', `${base}manifest = "x"\n[kustomize]\npath = "x"\n`, 'c.toml:5: kustomize stands beside manifest'],
  [
    'a repository for a manifest',
    `${base}manifest = "x"\n[public_repo]\nrepo = "r"\n`,
    'c.toml:5: public_repo is not possible with manifest',
  ],
  [
    'two repositories',
    `${base}[kustomize]\npath="x"\n[public_repo]\nrepo="r"\n[connected_repo]\nrepo="r"\n`,
    'c.toml:8: connected_repo',
  ],
  [
    'an artifact without tag and digest',
    `${base}[oci_artifact]\nurl = "oci://h/r"\n`,
    'c.toml:4: oci_artifact needs a tag or a digest',
  ],
  [
    'an artifact that is no oci:// address',
    `${base}[oci_artifact]\nurl = "https://h/r"\ntag="x"\n`,
    'c.toml:5: oci_artifact.url must be oci://',
  ],
  [
    'a timeout that is too long',
    `${base}manifest = "x"\nbuild_timeout = "2h"\n`,
    'c.toml:5: build_timeout must be at most 1h',
  ],
  [
    'a schedule that is none',
    `${base}manifest = "x"\ndrift_schedule = "hourly"\n`,
    'c.toml:5: drift_schedule is no schedule',
  ],
  [
    'another type',
    'type = "helm"\nname = "a"\nnamespace = "b"\nmanifest = "x"\n',
    'c.toml:1: type must be "kubernetes_manifest"',
  ],
  ['a missing namespace', 'type = "kubernetes_manifest"\nname = "a"\nmanifest = "x"\n', 'namespace is required'],
  ['a text that is no TOML', 'type = \n', 'c.toml:1'],
])('%s is refused with its line', (_case, text, message) => {
  const error = failureOf(() => parseComponent(text, 'toml', 'c.toml'))
  expect(error.code).toBe('config.invalid')
  expect(error.message).toContain(message)
})

test.each([
  [
    'toml',
    `${base}manifest = "x"\r\n[health]\r\n[[health.probes]]\r\nkind = "Pod"\nname = "a"\ntype = "http"\nport = 1\n\n[[health.probes]]\nkind = "Pod"\nname = "b"\ntype = "http"\n`,
    12,
  ],
  [
    'yaml',
    'type: kubernetes_manifest\nname: a\nnamespace: b\nmanifest: x\nhealth:\n  probes:\n  - {kind: Pod, name: a, type: http, port: 1}\n  - kind: Pod\n    name: b\n    type: http\n',
    8,
  ],
  [
    'json',
    '{"type": "kubernetes_manifest", "name": "a", "namespace": "b",\n "manifest": "x",\n "health": {\n  "probes": [\n   {"kind": "Pod", "name": "a", "type": "http", "port": 1},\n   {"kind": "Pod", "name": "b", "type": "http"}]}}\n',
    6,
  ],
] as const)('a probe without its port is refused with its own line in %s', (format, text, line) => {
  const error = failureOf(() => parseComponent(text, format, `c.${format}`))
  expect(error.message).toBe(`c.${format}:${line}: health.probes.1 is an http probe without port`)
})

test.each([
  ['toml', 'type = "kubernetes_manifest"\nname = "a"\nname = "b"\n', 'c.toml:3'],
  ['yaml', 'type: kubernetes_manifest\nname: a\nname: b\n', 'c.yaml:3'],
  ['json', '{"type": "kubernetes_manifest",\n"name": "a",\n"name": "b"}', 'c.json:3'],
  ['yaml', 'type: kubernetes_manifest\nname: [a\n', 'c.yaml:'],
  ['json', '{"type": "kubernetes_manifest",\n"name": }', 'c.json:2'],
  ['yaml', '- a\n', 'c.yaml:1: the file must be of type object'],
] as const)('what cannot be read as %s is refused with its line', (format, text, message) => {
  expect(failureOf(() => parseComponent(text, format, `c.${format}`)).message).toContain(message)
})

test('every problem of a file is told at once', () => {
  const error = failureOf(() =>
    parseComponent('type: x\nname: A_b\nnamespace: ""\nmanifest: x.yaml\n', 'yaml', 'c.yaml'),
  )
  expect(error.message.split('\n')).toHaveLength(3)
  expect(error.message).toContain('c.yaml:2: name must be lower-case letters, digits and dashes')
})

function failureOf(work: () => unknown): LadingError {
  try {
    work()
  } catch (error) {
    if (isLadingError(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}
