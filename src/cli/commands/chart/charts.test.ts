import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noNpmClients, npmClients } from '../../../../testbed/npm-clients.ts'
import { context } from '../../../core/index.ts'
import { openRepository, packChart, parseReference, pushArtifact } from '../../../oci/index.ts'
import { packageChart, readChartFolder } from '../../../render/helm/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'

describe('charts from the command line', () => {
  let cli: CliSandbox
  let registry: Registry

  beforeAll(async () => {
    cli = await openCliSandbox()
    registry = await startRegistry()
    for (const [name, text] of Object.entries(chart)) write(`web/${name}`, text)
    write('overlay/kustomization.yaml', 'namePrefix: pre-\nresources: [more.yaml]\n')
    write('overlay/more.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: more}\n')
    write('inflated/kustomization.yaml', 'namePrefix: my-\nhelmCharts: [{name: web, releaseName: shop}]\n')
    for (const [name, text] of Object.entries(chart)) write(`inflated/charts/web/${name}`, text)
    await push('1.0.0')
    await push('1.3.0')
    await push('2.0.0')
  })

  afterAll(async () => {
    await registry.stop()
    await cli.close()
  })

  it.skipIf(noNpmClients !== undefined)('template prints what helm template prints, to the byte', async () => {
    const { helm } = (await npmClients())!
    const lines = [
      'template shop web',
      'template shop web --set colour=red,size=1000000 --set-json deep={"n":1000000}',
      'template shop web --include-crds --skip-tests --no-hooks',
      'template shop web --kube-version 1.30.2 --api-versions a.example/v1 --api-versions b.example/v1/Thing',
      'template shop web -s templates/map.yaml --skip-schema-validation --set colour=7',
      'template shop web --is-upgrade --set tell=true --set-literal colour=a,{b}',
    ]
    for (const line of lines) {
      const args = line.replace(' template ', ' ').split(' ')
      const env = { HOME: cli.cwd, KUBECONFIG: '/dev/null' }
      const { stdout } = await promisify(execFile)(helm, [...args, '-n', 'default'], { cwd: cli.cwd, env })
      expect((await cli.lading(line)).stdout).toBe(stdout)
    }
  })

  it.skipIf(noNpmClients !== undefined)(
    'template --output-dir writes the files that helm writes, again too',
    async () => {
      const { helm } = (await npmClients())!
      const flags = '--include-crds -n default --output-dir'
      const args = `template shop web ${flags} by-helm`.split(' ')
      const env = { HOME: cli.cwd, KUBECONFIG: '/dev/null' }
      const { stdout } = await promisify(execFile)(helm, args, { cwd: cli.cwd, env })
      const wrote = (text: string) => new Set(text.trim().split('\n'))
      for (const colour of ['red', 'blue']) {
        const written = await cli.lading(`template shop web ${flags} by-lading --set colour=${colour}`)
        expect(written).toMatchObject({ code: 0, stderr: '' })
        expect(wrote(written.stdout)).toEqual(wrote(stdout.replaceAll('by-helm', 'by-lading')))
      }
      expect(filesBelow('by-lading')).toEqual(filesBelow('by-helm'))
    },
  )

  it('template --output-dir follows no link out of the folder, and is for charts', async () => {
    write('elsewhere/keep', '')
    mkdirSync(join(cli.cwd, 'linked'))
    symlinkSync(join(cli.cwd, 'elsewhere'), join(cli.cwd, 'linked/web'))
    expect(await cli.lading('template shop web --output-dir linked')).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('leads out of'),
    })
    expect(readdirSync(join(cli.cwd, 'elsewhere'))).toEqual(['keep'])
    cli.write('plain.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n')
    expect((await cli.lading('template plain.yaml --output-dir x')).stderr).toContain(
      '--output-dir is for whole charts',
    )
  })

  it('template passes a chart through a kustomization', async () => {
    const { stdout } = await cli.lading('template shop web --post-render-kustomize overlay')
    expect(stdout).toContain('name: pre-shop-map')
    expect(stdout).toContain('name: pre-more')
    expect((await cli.lading('template shop web --post-render-kustomize web')).stderr).toContain(
      'holds no kustomization',
    )
  })

  it('what is said about charts is refused, or told to be unused, for anything else', async () => {
    cli.write('plain.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\n')
    expect((await cli.lading('template plain.yaml -s a')).stderr).toContain('--show-only is for charts')
    expect((await cli.lading('template plain.yaml --skip-tests')).stderr).toContain('the source is no chart')
  })

  it('build and template -k inflate charts of a kustomization with --enable-helm, and not without', async () => {
    const { stdout } = await cli.lading('build inflated --enable-helm')
    expect(stdout).toContain('name: my-shop-map')
    expect((await cli.lading('template -k inflated --enable-helm')).stdout).toContain('name: my-shop-map')
    expect((await cli.lading('build inflated')).stderr).toContain('--enable-helm')
  })

  it('install of a chart whose dependencies are missing says how to get them', async () => {
    write(
      'needy/Chart.yaml',
      `${chart['Chart.yaml']}dependencies: [{name: db, version: 1.0.0, repository: "https://x.example"}]\n`,
    )
    const { code, stderr } = await cli.lading('install shop needy')
    expect(code).toBe(3)
    expect(stderr).toContain('missing in charts/ directory: db')
    expect(stderr).toMatch(/run `lading dependency build .*needy`/)
  })

  it('install and upgrade take charts from a registry: the newest, a version, or a range', async () => {
    const at = `oci://${registry.host}/charts/web`
    const installed = await cli.lading(`install shop ${at} --plain-http --version ^1.0 --storage helm -o json`)
    expect(installed.stderr).not.toContain('error')
    expect(JSON.parse(installed.stdout)).toMatchObject({ outcome: 'deployed', source: 'web-1.3.0' })
    const same = await cli.lading(`upgrade shop ${at}:1.3.0 --plain-http --storage helm -o json`)
    expect(JSON.parse(same.stdout)).toMatchObject({ outcome: 'unchanged' })
    const newest = await cli.lading(`upgrade shop ${at} --plain-http --storage helm -o json`)
    expect(JSON.parse(newest.stdout)).toMatchObject({ outcome: 'deployed', source: 'web-2.0.0' })
    expect((await cli.lading(`upgrade shop ${at} --plain-http --version 9.9.9 --storage helm`)).code).toBe(8)
    expect((await cli.lading('diff shop web --storage helm')).code).toBe(2)
    expect((await cli.lading('status shop --storage helm')).code).toBe(0)
    expect((await cli.lading('drift shop --storage helm')).code).toBe(0)
    expect((await cli.lading('diff shop --storage helm')).stdout).toContain('2.0.0')
  })

  it('install takes a chart from an HTTP repository, and apply the one that was planned', async () => {
    const { archive, fileName } = packageChart(await readChartFolder(join(cli.cwd, 'web')), { version: '1.5.0' })
    const digest = createHash('sha256').update(archive).digest('hex')
    const entry = { apiVersion: 'v2', name: 'web', version: '1.5.0', urls: [fileName], digest }
    const index = JSON.stringify({ apiVersion: 'v1', entries: { web: [entry] } })
    const server = createServer((request, response) => response.end(request.url === '/index.yaml' ? index : archive))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const repo = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const installed = await cli.lading(`install fetched web --repo ${repo} --version ^1.2 --dry-run`)
      expect(installed).toMatchObject({ code: 0, stderr: '' })
      expect((await cli.lading(`plan install fetched web --repo ${repo} --out fetched.json`)).code).toBe(0)
      expect(await cli.lading('apply fetched.json')).toMatchObject({ code: 0 })
      expect((await cli.lading('get manifest fetched')).stdout).toMatch(/version: "?1\.5\.0/)
      expect((await cli.lading(`template ${repo}/${fileName}`)).stdout).toMatch(/version: "?1\.5\.0/)
      expect((await cli.lading('template nowhere/web')).stderr).toContain('nowhere')
      const guarded = await cli.lading('template web --repo http://me:hush@127.0.0.1:1')
      expect(guarded).toMatchObject({ code: 2, stderr: expect.not.stringContaining('hush') })
    } finally {
      server.close()
    }
  })

  it('a saved plan names what the registry gave by digest, and apply carries out exactly that', async () => {
    const at = `oci://${registry.host}/charts/web`
    expect((await cli.lading(`plan install pinned ${at} --plain-http --version 1.0.0 --out plan.json`)).code).toBe(0)
    const shown = await cli.lading(`plan install pinned ${at} --plain-http --version 1.0.0 -o json`)
    const { inputs } = JSON.parse(shown.stdout) as { inputs: { content: { source: string } } }
    expect(inputs.content.source).toMatch(/charts\/web:1\.0\.0@sha256:[0-9a-f]{64}$/)
    // A tag that moves on does not move the plan.
    await push('1.0.0', 'moved')
    const applied = await cli.lading('apply plan.json --plain-http')
    expect(applied).toMatchObject({ code: 0 })
    expect((await cli.lading('get manifest pinned')).stdout).not.toContain('moved')
  })

  it('a registry’s artifact that nobody signed is refused by --verify', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    cli.write('key.pub', publicKey.export({ type: 'spki', format: 'pem' }) as string)
    const { code, stderr } = await cli.lading(
      `install v oci://${registry.host}/charts/web:2.0.0 --plain-http --verify key.pub`,
    )
    expect({ code, stderr }).toMatchObject({
      code: 9,
      stderr: expect.stringMatching(/no signature|not signed|unsigned/),
    })
  })

  async function push(version: string, colour = 'blue'): Promise<void> {
    write('web/values.yaml', chart['values.yaml'].replace('blue', colour))
    const { archive } = packageChart(await readChartFolder(join(cli.cwd, 'web')), { version })
    write('web/values.yaml', chart['values.yaml'])
    const target = openRepository(parseReference(`oci://${registry.host}/charts/web`), { plainHttp: true })
    await pushArtifact(target, await packChart(archive), version, context())
    await target.close()
  }

  function filesBelow(folder: string): Record<string, string> {
    const root = join(cli.cwd, folder)
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    const paths = files.map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort()
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(cli.cwd, path)), { recursive: true })
    writeFileSync(join(cli.cwd, path), text)
  }
})

const chart = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'colour: blue\nsize: 1\ndeep: {n: 1}\n',
  'values.schema.json': '{"properties": {"colour": {"type": "string"}}}',
  'crds/thing.yaml':
    '# A kind.\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.x.example}\nspec:\n  group: x.example\n  scope: Cluster\n  names: {plural: things, kind: Thing}\n  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]\n',
  'templates/map.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-map}
data:
  colour: {{ .Values.colour | quote }}
  size: {{ .Values.size | quote }}
  deep: {{ .Values.deep.n | quote }}
  version: {{ .Chart.Version }}
  {{- if .Values.tell }}
  upgrade: "{{ .Release.IsUpgrade }}{{ .Release.IsInstall }}"
  {{- end }}
  cluster: {{ .Capabilities.KubeVersion }} {{ .Capabilities.APIVersions.Has "b.example/v1/Thing" }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-other}
`,
  'templates/tests/check.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: check, annotations: {helm.sh/hook: test}}\nspec: {containers: [{name: a, image: a}]}\n',
}
