import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// A file that was removed from src must not live on in the package.
rmSync(`${root}/dist`, { recursive: true, force: true })
const compiled = spawnSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
for (const data of ['schema/data', 'render/kustomize/data']) {
  if (compiled.status !== 0 || !existsSync(`${root}/src/${data}`)) continue
  cpSync(`${root}/src/${data}`, `${root}/dist/${data}`, { recursive: true })
}
process.exitCode = compiled.status ?? 1
