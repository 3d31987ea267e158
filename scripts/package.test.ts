import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlePackage } from './bundle.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const examples = join(root, 'examples/library')
const programs = readdirSync(examples).filter((name) => name.endsWith('.ts'))
const tests = programs.filter((name) => name.endsWith('.test.ts'))
let app = ''

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'lading-package-'))
  const made = join(app, 'made')
  mkdirSync(made)
  for (const part of ['bin', 'docs', 'README.md', 'LICENSE', 'package.json']) {
    cpSync(join(root, part), join(made, part), { recursive: true })
  }
  const tsc = [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--noCheck',
    '--outDir',
    join(made, 'dist'),
  ]
  await Promise.all([run(process.execPath, tsc, { cwd: root }), bundlePackage(join(made, 'dist'))])
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', app], { cwd: made })
  const tarball = readdirSync(app).find((name) => name.endsWith('.tgz')) ?? ''
  await run('tar', ['-xzf', join(app, tarball), '-C', app])
  installInto(join(app, 'node_modules'))
  cpSync(examples, app, { recursive: true })
  writeFileSync(join(app, 'package.json'), '{"type":"module"}')
})

afterAll(() => rmSync(app, { recursive: true, force: true }))

// No network: what the tarball depends on is what this checkout has.
function installInto(modules: string): void {
  cpSync(join(app, 'package'), join(modules, 'lading'), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types', 'vitest']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
}

it.each(programs)('examples/library/%s has fewer than 40 lines', (name) => {
  expect(readFileSync(join(examples, name), 'utf8').trimEnd().split('\n').length).toBeLessThan(40)
})

it.each(programs.filter((name) => !tests.includes(name)))('examples/library/%s runs with the package', async (name) => {
  const { stdout } = await run(process.execPath, [join(app, name)], { cwd: app, timeout: 60_000 })
  expect(stdout).not.toBe('')
})

it(`the tests ${tests.join(' and ')} of examples/library pass with the package`, async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  expect(
    await failureOf(run(process.execPath, [vitest, 'run', '--root', app, ...tests], { cwd: app, timeout: 120_000 })),
  ).toBe('')
})

it.each(['typescript', 'typescript-5.9'])('the examples compile with %s', async (compiler) => {
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  expect(await failureOf(run(process.execPath, [tsc, '-p', app], { cwd: app }))).toBe('')
})

/** What a program printed that failed; nothing of one that succeeded. */
async function failureOf(program: Promise<unknown>): Promise<string> {
  return program.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
  )
}

const require = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
const bundled = ['chart-images.ts', 'kustomize-in-memory.ts', 'release-from-objects.ts']

it.each(['esbuild', 'rolldown'])('a program that uses Lading runs as one file that %s made', async (bundler) => {
  const folder = mkdtempSync(join(tmpdir(), 'lading-bundled-'))
  try {
    const input = join(app, `all-${bundler}.ts`)
    writeFileSync(input, bundled.map((name) => `import './${name}'\n`).join(''))
    const file = join(folder, 'main.mjs')
    if (bundler === 'rolldown') await bundleWithRolldown(input, file)
    else {
      const options = ['--bundle', '--platform=node', '--format=esm', '--target=node22', `--outfile=${file}`]
      await run(join(root, 'node_modules/.bin/esbuild'), [input, ...options, `--banner:js=${require}`], { cwd: app })
    }
    const { stdout } = await run(process.execPath, [file], { cwd: folder })
    expect(stdout).toContain('nginx:1.28')
    expect(stdout).toContain('name: production-settings')
    expect(stdout).toContain('deployed 1')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function bundleWithRolldown(input: string, file: string): Promise<void> {
  const made = await rolldown({ cwd: app, input, platform: 'node', transform: { target: 'node22' } })
  await made.write({ file, format: 'esm', codeSplitting: false })
  await made.close()
}
