import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { compileCacheFolder } from '../bin/compile-cache.js'

const run = promisify(execFile)
const bin = fileURLToPath(new URL('../bin/lading', import.meta.url))

it('bin/lading runs the source of a checkout and hands on its exit code', async () => {
  const { stdout } = await run(process.execPath, [bin, 'version', '-o', 'json'])
  expect(JSON.parse(stdout)).toMatchObject({ node: process.versions.node })
  await expect(run(process.execPath, [bin, 'nonsense'])).rejects.toMatchObject({ code: 2 })
})

it('bin/lading starts where env knows no options, and still renders templates that include themselves 900 times', async () => {
  expect(readFileSync(bin, 'utf8').split('\n', 1)).toEqual(['#!/usr/bin/env node'])
  const chart = mkdtempSync(join(tmpdir(), 'lading-deep-'))
  onTestFinished(() => rmSync(chart, { recursive: true }))
  mkdirSync(join(chart, 'templates'))
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: deep\nversion: 1.0.0\n')
  const template = `{{- define "down" -}}{{- if gt (int .) 0 -}}{{ include "down" (sub (int .) 1) }}{{- else -}}end{{- end -}}{{- end -}}
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ include "down" 900 }} }
`
  writeFileSync(join(chart, 'templates', 'deep.yaml'), template)
  const { stdout } = await run(process.execPath, [bin, 'template', 'deep', chart])
  expect(stdout).toContain('name: end')
})

// The check reads process.versions, so a preload can make this Node look old to the first process only.
const preload = `data:text/javascript,if(!process.env.LADING_TEST_OLD){process.env.LADING_TEST_OLD='1';Object.defineProperty(process.versions,'node',{value:'20.1.0'})}`

it('bin/lading on a Node that is too old runs on the one that the checkout brings', async () => {
  const { stdout } = await run(process.execPath, ['--import', preload, bin, 'version', '-o', 'json'])
  const { node } = JSON.parse(stdout) as { node: string }
  expect(Number(node.split('.')[0])).toBeGreaterThanOrEqual(24)
})

it('bin/lading on a Node that is too old, in a package without a Node of its own, says so in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lading-old-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(dirname(bin), join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const args = ['--import', preload, join(folder, 'bin', 'lading'), 'version']
  const stderr = 'error: lading needs Node 22.21, 24.5 or later, this is 20.1.0: install a newer Node.\n'
  await expect(run(process.execPath, args)).rejects.toMatchObject({ code: 1, stderr })
})

it('bin/lading on a Node that is too old ends its child, as SIGTERM does, when it is killed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lading-killed-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const kubeconfig = join(home, 'kubeconfig')
  const args = ['--import', preload, bin, 'sandbox', 'start', '--kubeconfig', kubeconfig]
  const launcher = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: home }, stdio: 'pipe' })
  // The child has the same output, which closes when both have ended.
  const closed = once(launcher, 'close')
  launcher.stderr.resume()
  await once(launcher.stdout, 'data')
  expect(existsSync(kubeconfig)).toBe(true)
  launcher.kill('SIGKILL')
  await closed
  // A sandbox that was asked to end takes its kubeconfig with it.
  expect(existsSync(kubeconfig)).toBe(false)
})

describe('the cache of compiled code', () => {
  let home = ''
  const uid = process.getuid?.() ?? 0
  const folder = (): string => join(home, '.cache', 'lading', 'compile')
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'lading-home-'))
  })
  afterEach(() => rmSync(home, { recursive: true }))

  it('lies below the cache folder of the user, and nothing is put into the shared temporary folder', async () => {
    const shared = join(home, 'tmp')
    mkdirSync(shared)
    const env = { PATH: process.env['PATH'], HOME: home, TMPDIR: shared }
    await run(process.execPath, [bin, 'version'], { env })
    expect(readdirSync(shared)).toEqual([])
    expect(readdirSync(folder())).not.toEqual([])
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    expect(compileCacheFolder({ HOME: home, XDG_CACHE_HOME: join(home, 'x') }, uid)).toBe(
      join(home, 'x/lading/compile'),
    )
  })

  it('is not used where another user could write to it, and Lading starts all the same', async () => {
    mkdirSync(folder(), { recursive: true })
    chmodSync(folder(), 0o770)
    expect(compileCacheFolder({ HOME: home }, uid)).toBeUndefined()
    await run(process.execPath, [bin, 'version'], { env: { PATH: process.env['PATH'], HOME: home } })
    expect(readdirSync(folder())).toEqual([])
  })

  it('is not used below a folder that another user could rename', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    chmodSync(join(home, '.cache'), 0o777)
    expect(compileCacheFolder({ HOME: home }, uid)).toBeUndefined()
  })

  it('is not used through a link', () => {
    mkdirSync(join(home, 'elsewhere', 'compile'), { recursive: true, mode: 0o700 })
    mkdirSync(join(home, '.cache'))
    symlinkSync(join(home, 'elsewhere'), join(home, '.cache', 'lading'))
    expect(compileCacheFolder({ HOME: home }, uid)).toBeUndefined()
  })

  it.skipIf(uid !== 0)('is not used where it, or the home folder, belongs to another user', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 })
    chownSync(folder(), 12_345, 12_345)
    expect(compileCacheFolder({ HOME: home }, uid)).toBeUndefined()
    chownSync(folder(), 0, 0)
    expect(compileCacheFolder({ HOME: home }, uid)).toBe(folder())
    chownSync(home, 12_345, 12_345)
    expect(compileCacheFolder({ HOME: home }, uid)).toBeUndefined()
  })

  it('is not used without a home folder', () => {
    expect(compileCacheFolder({}, uid)).toBeUndefined()
    expect(compileCacheFolder({ HOME: 'relative' }, uid)).toBeUndefined()
    expect(existsSync('relative')).toBe(false)
  })
})
