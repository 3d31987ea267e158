import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage } from '../scripts/bundle.ts'
import { runOwn } from './measure/run-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds Lading into a folder as an installation has it: bin and dist, no sources, so that bin runs what was built. */
export async function installPackage(folder: string): Promise<string> {
  const installed = join(folder, 'installed')
  await mkdir(installed, { recursive: true })
  await bundlePackage(join(installed, 'dist'))
  for (const part of ['bin', 'package.json']) await cp(join(root, part), join(installed, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'))
  return installed
}

/** Compiles Lading into a folder module by module, to hold the bundle against. */
export async function compileModules(folder: string, signal: AbortSignal): Promise<string> {
  const compiled = join(folder, 'modules')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const config = join(root, 'tsconfig.build.json')
  // Types are for `npm run check` to judge; here only what runs matters.
  const options = ['--noCheck', '--declaration', 'false', '--emitDeclarationOnly', 'false']
  const args = [tsc, '-p', config, ...options, '--outDir', join(compiled, 'dist')]
  await runOwn({ command: process.execPath, args }, signal)
  for (const folder of ['schema/data', 'render/kustomize/data']) {
    await cp(join(root, 'src', folder), join(compiled, 'dist', folder), { recursive: true })
  }
  await cp(join(root, 'package.json'), join(compiled, 'package.json'))
  await symlink(join(root, 'node_modules'), join(compiled, 'node_modules'))
  return compiled
}
