import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundlePackage } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// A file that was removed from src must not live on in the package.
rmSync(`${root}/dist`, { recursive: true, force: true })
const compiled = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (compiled.status === 0) await bundlePackage(`${root}/dist`)
process.exitCode = compiled.status ?? 1
