import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

it('every example of docs/kube.md compiles', () => {
  const page = readFileSync(`${root}docs/kube.md`, 'utf8')
  const examples = [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, text = '']) => text)
  expect(examples.length).toBeGreaterThan(1)
  const folder = mkdtempSync(join(tmpdir(), 'lading-docs-'))
  const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'))
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    exports: Record<string, { types: string }>
  }
  const paths = Object.entries(exports).flatMap(([door, { types }]) =>
    types === undefined
      ? []
      : [[door.replace('.', 'lading'), [types.replace('./dist/', `${root}src/`).replace('.d.ts', '.ts')]]],
  )
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const options = { ...compilerOptions, typeRoots: [`${root}node_modules/@types`], paths: Object.fromEntries(paths) }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
    for (const [index, text] of examples.entries()) writeFileSync(join(folder, `example-${index}.ts`), text)
    const { stdout, status } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
