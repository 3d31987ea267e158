import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleCli } from './bundle-cli.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// A file that was removed from src must not live on in the package.
rmSync(`${root}/dist`, { recursive: true, force: true })
const compiled = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
// Tables are read as files, from the same place beside the code.
for (const folder of ['schema/data', 'render/kustomize/data']) {
  if (compiled.status === 0) cpSync(`${root}/src/${folder}`, `${root}/dist/${folder}`, { recursive: true })
}
if (compiled.status === 0) await bundleCli(`${root}/dist`)
process.exitCode = compiled.status ?? 1
