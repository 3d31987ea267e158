import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateKeyPair } from '../../../oci/index.ts'
import { type Registry, startRegistry } from '../../../sandbox/index.ts'
import { type CliSandbox, openCliSandbox } from '../../testdata/cli-sandbox.ts'
import type { CliWorld } from '../../testdata/run-cli.ts'
import { silentIo } from '../../testdata/silent-io.ts'
import { buildCommand } from './build.ts'
import { deployCommand } from './deploy.ts'
import { driftCommand } from '../release/drift.ts'

// A job may be run by a runner with other flags, another folder and another user than the command that left it. So each flag of the
// command is in the job, or refused for one that is left to a runner, or is only about the command itself.

let cli: CliSandbox
let registry: Registry

beforeAll(async () => {
  cli = await openCliSandbox()
  registry = await startRegistry()
  const { publicKey } = await generateKeyPair('')
  cli.write('key.pub', publicKey)
  cli.write('ca.pem', publicKey)
  cli.write('identity.txt', 'AGE-SECRET-KEY-1'.padEnd(74, 'Q'))
  cli.write('shop.toml', component('shop', 'dependencies = ["missing"]\n[inputs.colour]\ndefault = "blue"\n'))
  const theirs = `url = "oci://${registry.host}/theirs"\ntag = "v1"\ncredentials_ref = "them"\n`
  cli.write(
    'mirror.toml',
    `type = "kubernetes_manifest"\nname = "mirror"\nnamespace = "default"\n[oci_artifact]\n${theirs}`,
  )
  cli.write(
    'overlay.toml',
    `type = "kubernetes_manifest"\nname = "overlay"\nnamespace = "default"\n[kustomize]\npath = "overlay"\n`,
  )
})
afterAll(async () => {
  await registry.stop()
  await cli.close()
})

/** In the job: the words of the flag, and what its plan has then; of which component, unless it is the shop. */
interface Carried {
  readonly words: string
  readonly plan: object
  readonly of?: string
}

const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const pem = expect.stringContaining('PUBLIC KEY')
const artifactFlags: Readonly<Record<string, Carried>> = {
  '--verify': { words: 'key.pub', plan: { trust: { verify_keys: [pem] } } },
  '--plain-http': { words: '', plan: { registry_access: { plain_http: true } } },
  '--allow-token-host': { words: 'auth.example', plan: { registry_access: { token_hosts: ['auth.example'] } } },
  '--registry-ca': { words: 'ca.pem', plan: { registry_access: { registry_ca: pem } } },
  '--insecure-skip-tls-verify': { words: '', plan: { registry_access: { insecure_skip_tls_verify: true } } },
}
const storageFlags: Readonly<Record<string, Carried>> = {
  '--storage': { words: 'configmap', plan: { engine: { storage: { driver: 'configmap' } } } },
  '--storage-namespace': { words: 'default', plan: { engine: { storage: { storageNamespace: 'default' } } } },
  '--storage-path': {
    words: 'records',
    plan: { engine: { storage: { path: expect.stringMatching(/^\/.*\/records$/) } } },
  },
  '--storage-compression': { words: 'gzip', plan: { engine: { storage: { compression: 'gzip' } } } },
  '--storage-large': { words: 'fail', plan: { engine: { storage: { largeReleaseStrategy: 'fail' } } } },
  '--as': { words: 'admin --as-group system:masters', plan: { engine: { as: 'admin' } } },
  '--as-group': { words: 'system:masters --as admin', plan: { engine: { as_groups: ['system:masters'] } } },
}

describe('build', () => {
  const carried: Readonly<Record<string, Carried>> = {
    ...artifactFlags,
    '--tag': { words: 'v9', plan: { dst_tag: 'v9' } },
    '--registry': { words: 'oci://127.0.0.1:1/other', plan: { dst_registry: 'oci://127.0.0.1:1/other' } },
    '--verify': { words: 'key.pub', plan: { trust: { verify_keys: [pem] } }, of: 'mirror.toml' },
    '--recipient': { words: recipient, plan: { recipients: [recipient] } },
    '--allow-remote': { words: 'git.example', plan: remote({ allow_remote: ['git.example'] }), of: 'overlay.toml' },
    '--allow-unpinned': {
      words: '--allow-remote git.example',
      plan: remote({ allow_unpinned: true }),
      of: 'overlay.toml',
    },
    '--input': {
      words: 'colour=red',
      plan: { kubernetes_manifest_build_plan: { inline_manifest: expect.stringContaining('red') } },
    },
  }
  const refused = {
    '--identity': 'identity.txt',
    '--credentials': 'them=.',
    '--sign': 'cosign.key',
  }
  const local = ['--detach', '--jobs', '--jobs-key', '--progress']
  // Only a folder has them.
  const ofFolders = ['--load-restrictor', '--reorder', '--enable-helm', '--remote-lock']

  it('knows of each flag what becomes of it in a job', () => {
    expect(flagsOf(buildCommand(silentIo()))).toEqual(
      [...Object.keys(carried), ...Object.keys(refused), ...local, ...ofFolders].sort(),
    )
  })

  it.each(Object.entries(carried))(
    '%s is part of the job, left to a runner or run at once',
    async (flag, { words, plan, of = 'shop.toml' }) => {
      const command = `build ${of} ${flag === '--registry' ? '' : to()} ${flag} ${words}`
      await lading(`${command} --detach`)
      const detached = await newest()
      expect(detached).toMatchObject(plan)
      await lading(command)
      expect(await newest()).toEqual(detached)
    },
  )

  it('the time of the artifact is part of the job', async () => {
    await lading(`build shop.toml ${to()} --detach`, { env: { HOME: cli.cwd, SOURCE_DATE_EPOCH: '86400' } })
    expect(await newest()).toMatchObject({ created: '1970-01-02T00:00:00.000Z' })
  })

  it.each(Object.entries(refused))('%s is refused for a job that is left to a runner', async (flag, words) => {
    const { code, stderr } = await lading(`build mirror.toml ${to()} ${flag} ${words} --detach`)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(flag) })
  })
})

describe('deploy', () => {
  const digest = `sha256:${'0'.repeat(64)}`
  const carried: Readonly<Record<string, Carried>> = {
    ...artifactFlags,
    ...storageFlags,
    '--artifact': { words: 'oci://127.0.0.1:1/a:v1', plan: named('oci://127.0.0.1:1/a', { tag: 'v1' }) },
    '--rollback-to': { words: digest, plan: { rollback_to: digest } },
    '--create-namespace': { words: '', plan: { create_namespace: true } },
    '--force-conflicts': { words: '', plan: { force_conflicts: true } },
    '--take-ownership': { words: '', plan: { take_ownership: true } },
    '--replace': { words: '', plan: { replace: true } },
    '--wait-for-jobs': { words: '', plan: { wait_for_jobs: true } },
    '--expires': { words: '2h', plan: { plan_lifetime_ms: 7_200_000 } },
    '--verify-plan': { words: 'key.pub', plan: { trust: { plan_keys: [pem] } } },
  }
  // Those of the build that comes first, and of what is done with the plan; its jobs are run by the command itself.
  const ofBuild = ['--registry', '--tag', '--sign', '--recipient', '--allow-remote', '--allow-unpinned']
  const others = [...ofBuild, '--input', '--identity', '--credentials', '--jobs', '--jobs-key', '--progress']
  // What the machine that runs the jobs may ask is not for a job to say.
  const ofRunner = ['--allow-health-url', '--allow-local-health-url']
  const ofPlan = ['--approve', '--plan', '--out', '--plan-only', '--teardown']

  it('knows of each flag what becomes of it in a job', () => {
    const globals = ['--as', '--as-group']
    const own = Object.keys(carried).filter((flag) => !globals.includes(flag))
    expect(flagsOf(deployCommand(silentIo()))).toEqual([...own, ...others, ...ofPlan, ...ofRunner].sort())
  })

  it.each(Object.entries(carried))('%s is part of the job', async (flag, { words, plan }) => {
    const what = ['--artifact', '--rollback-to'].includes(flag) ? '' : '--artifact oci://127.0.0.1:1/a:v1'
    await lading(`deploy shop.toml ${what} ${flag} ${words} --plan-only`)
    expect(await newest()).toMatchObject(plan)
  })
})

describe('drift', () => {
  const { '--verify': _, ...registryFlags } = artifactFlags
  const carried: Readonly<Record<string, Carried>> = {
    ...registryFlags,
    ...storageFlags,
    '--artifact': { words: 'oci://127.0.0.1:1/a:v1', plan: named('oci://127.0.0.1:1/a', { tag: 'v1' }) },
    '--correct': { words: '', plan: { correct_drift: true } },
  }

  it('knows all flags that are in the job', () => {
    const flags = flagsOf(driftCommand(silentIo()))
    expect(Object.keys(carried).filter((flag) => !flag.startsWith('--as') && !flags.includes(flag))).toEqual([])
  })

  it.each(Object.entries(carried))('%s is part of the job', async (flag, { words, plan }) => {
    const what = flag === '--artifact' ? '' : '--artifact oci://127.0.0.1:1/a:v1'
    await lading(`drift shop.toml ${what} ${flag} ${words}`)
    expect(await newest()).toMatchObject(plan)
  })
})

const remote = (config: object) => ({ kubernetes_manifest_build_plan: { kustomize_config: config } })

const to = () => `--registry oci://${registry.host}/shop`

function component(name: string, more: string): string {
  const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  colour: "{{ .inputs.colour }}"\n`
  return `type = "kubernetes_manifest"\nname = "${name}"\nnamespace = "default"\nmanifest = """\n${manifest}"""\n${more}`
}

function named(url: string, version: object): object {
  return { kubernetes_manifest: { oci_artifact: { url, ...version } } }
}

function lading(command: string, world: Partial<CliWorld> = {}) {
  return cli.lading(command.trim().replace(/ +/g, ' '), { env: { HOME: cli.cwd }, ...world })
}

/** The plan of the newest job. */
async function newest(): Promise<unknown> {
  const [job] = JSON.parse((await lading('jobs list --limit 1 -o json')).stdout) as { id: string }[]
  return (JSON.parse((await lading(`jobs get ${job!.id} -o json`)).stdout) as { plan: unknown }).plan
}

function flagsOf(command: Command): string[] {
  return command.options.map(({ long }) => String(long)).sort()
}
