import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import { type CliWorld, runCli } from '../../testdata/run-cli.ts'

let cli: CliSandbox
let registry: Registry

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

function lading(command: string, world: Partial<CliWorld> = {}) {
  // Jobs and runners are not in namespaces.
  const own = /^(?:jobs|runner) /.test(command) ? '' : ' -n default'
  return runCli(
    { cwd: cli.cwd, env: { HOME: cli.cwd }, ...world },
    ...`${command}${own} --kubeconfig kubeconfig`.split(' '),
  )
}

function component(name: string, colour: string, more = ''): string {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  colour: ${colour}\n`
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = """\n${manifest}"""\n${more}`
}

const to = () => `--registry oci://${registry.host}/shop --plain-http`

it('build makes an artifact of a component, and the same digest the next time', async () => {
  cli.write('shop.toml', component('shop', 'blue'))
  const first = await lading(`build shop.toml ${to()} --tag v1 -o json`)
  expect(first.code).toBe(0)
  expect(JSON.parse(first.stdout)).toMatchObject({ tag: 'v1', objects: ['_shop__ConfigMap'] })
  const second = await lading(`build shop.toml ${to()} --tag v2 -o json`)
  expect(field(second.stdout, 'digest')).toBe(field(first.stdout, 'digest'))
})

it('deploy --wait-for-jobs waits until the Jobs have completed, and without it they only have to start', async () => {
  const job = (simulate: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: import\nspec:\n  template:\n    metadata: {annotations: {lading.dev/${simulate}}}\n` +
    '    spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/job}]}\n'
  const head = 'type = "kubernetes_manifest"\nname = "import"\nnamespace = "default"\nmanifest = """\n'
  cli.write('import.toml', `${head}${job('simulate: hang')}"""\n`)
  expect((await lading(`deploy import.toml ${to()} --approve auto`)).code).toBe(0)
  cli.write('import.toml', `${head}${job('simulate-delay: 300ms')}"""\n`)
  expect((await lading(`deploy import.toml ${to()} --approve auto --replace --wait-for-jobs`)).code).toBe(0)
  expect((await lading('status import')).stdout).toContain('Job is complete')
})

it('deploy without an approval shows the plan and applies nothing; with its hash approved it applies', async () => {
  cli.write('one.toml', component('one', 'blue'))
  const refused = await lading(`deploy one.toml ${to()}`)
  expect(refused.code).toBe(6)
  expect(refused.stderr).toContain('+ create ConfigMap default/one')
  expect((await lading('history one')).code).toBe(8)

  const planned = await lading(`deploy one.toml ${to()} --plan-only -o json`)
  const approval = { plan_hash: field(planned.stdout, 'plan_hash'), decision: 'approve', by: 'me', at: '' }
  writeFileSync(join(cli.cwd, 'approval.json'), JSON.stringify(approval))
  const deployed = await lading(`deploy one.toml ${to()} --approve approval.json`)
  expect(deployed.stdout).toBe('default/one deployed (revision 1)\n')

  const again = await lading(`deploy one.toml ${to()} --approve auto`)
  expect(again.stdout).toBe('0 to change, 1 unchanged\n')

  cli.write('one.toml', component('one', 'red'))
  const stale = await lading(`deploy one.toml ${to()} --approve approval.json`)
  expect(stale.code).toBe(6)
  expect(stale.stderr).toContain('was applied before')
  const forged = { ...approval, plan_hash: `sha256:${'0'.repeat(64)}` }
  writeFileSync(join(cli.cwd, 'approval.json'), JSON.stringify(forged))
  const unknown = await lading(`deploy one.toml ${to()} --approve approval.json`)
  expect(unknown).toMatchObject({ code: 6, stderr: expect.stringContaining('is not stored here') as unknown })
})

it('deploy asks on a terminal, and only yes applies', async () => {
  cli.write('two.toml', component('two', 'blue'))
  const terminal = { columns: 100, rows: 40 }
  const denied = await lading(`deploy two.toml ${to()} --progress none`, { terminal, stdin: 'y\n' })
  expect(denied.code).toBe(6)
  expect(denied.stderr).toContain('was denied')
  const approved = await lading(`deploy two.toml ${to()} --progress none`, { terminal, stdin: 'yes\n' })
  expect(approved.stdout).toBe('default/two deployed (revision 1)\n')
})

it('deploy asks nobody to approve what cannot be done, and says what would allow it', async () => {
  const job = (image: string) =>
    component('task', 'x').replace(
      /apiVersion: v1[^]*colour: x\n/,
      `apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: "busybox:${image}"}]}}}\n`,
    )
  cli.write('task.toml', job('1'))
  expect((await lading(`deploy task.toml ${to()} --approve auto`)).stdout).toBe('default/task deployed (revision 1)\n')
  cli.write('task.toml', job('2'))
  const refused = await lading(`deploy task.toml ${to()} --approve auto`)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('spec.template')
  expect(refused.stderr).not.toContain('stale')
  const shown = await lading(`deploy task.toml ${to()} --plan-only`)
  expect(shown.code).not.toBe(0)
  expect(shown.stdout).toContain('x refused Job default/j')
  const replaced = await lading(`deploy task.toml ${to()} --replace --approve auto`)
  expect(replaced.stdout).toBe('default/task deployed (revision 2)\n')
})

it('deploy takes over what exists only where it is asked to', async () => {
  cli.write('mine.toml', component('mine', 'blue'))
  await lading(`deploy mine.toml ${to()} --approve auto`)
  cli.write('yours.toml', component('mine', 'red').replace('name = "mine"', 'name = "yours"'))
  const refused = await lading(`deploy yours.toml ${to()} --approve auto`)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('--take-ownership')
  const taken = await lading(`deploy yours.toml ${to()} --approve auto --take-ownership`)
  expect(taken.stdout).toBe('default/yours deployed (revision 1)\n')
})

it('deploy goes back to an earlier digest, finds drift, and tears down', async () => {
  cli.write('three.toml', component('three', 'blue'))
  const first = await lading(`build three.toml ${to()} -o json`)
  await lading(`deploy three.toml ${to()} --approve auto`)
  cli.write('three.toml', component('three', 'red'))
  await lading(`deploy three.toml ${to()} --approve auto`)
  const digest = field(first.stdout, 'digest')
  const back = await lading(`deploy three.toml --rollback-to ${digest} --approve auto`)
  expect(back.stdout).toBe('default/three deployed (revision 3)\n')
  expect((await lading('get manifest three')).stdout).toContain('colour: blue')

  expect((await lading('drift three.toml')).code).toBe(0)
  const torn = await lading('deploy three.toml --teardown --approve auto')
  expect(torn.stdout).toBe('default/three uninstalled (revision 3)\n')
})

it('jobs lists what was done, with logs; a detached build is done by a runner', async () => {
  cli.write('four.toml', component('four', 'blue'))
  const queued = await lading(`build four.toml ${to()} --detach`)
  const id = queued.stdout.trim()
  expect((await lading('jobs list --state available')).stdout).toContain(id)
  const run = await lading('runner start --once --plain-http')
  expect(run.code).toBe(0)
  expect((await lading(`jobs get ${id} -o json`)).stdout).toContain('"state": "finished"')
  expect((await lading(`jobs logs ${id} --follow`)).stdout).toMatch(/execute: pushed oci:\/\/.*@sha256:/)
  expect((await lading('jobs prune --older-than 1h')).stdout).toBe('0 jobs forgotten\n')
  const missing = await lading('jobs cancel nothing')
  expect(missing.code).toBe(8)
})

it('a component with a mistake is refused with its line', async () => {
  cli.write('bad.toml', component('bad', 'blue', 'colour = "x"\n'))
  const { code, stderr } = await lading(`build bad.toml ${to()}`)
  expect(code).toBe(3)
  expect(stderr).toContain('bad.toml:12: colour is no field of a component')
})

function field(text: string, name: string): string {
  return String((JSON.parse(text) as Record<string, unknown>)[name])
}
