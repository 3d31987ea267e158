import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The testbed is not published: its examples import nothing that a reader could. */
const pages = globSync('docs/*.md', { cwd: root }).filter((page) => page !== join('docs', 'testbed.md'))

/** What an example takes from the text around it stands before it, in a comment that begins with `given`. */
const example = /(?:^<!-- given\n([^]*?)^-->\n\n)?^```ts\n([^]*?)^```$/gm

it('every example of the documentation compiles', () => {
  const examples = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(example)].map(([, given = '', text = ''], at) => {
      return { name: `${basename(page, '.md')}-${at + 1}.ts`, text: `${given}${text}\nexport {}\n` }
    }),
  )
  expect(examples.length).toBeGreaterThan(15)
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
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    for (const { name, text } of examples) writeFileSync(join(folder, name), text)
    const { stdout, status } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], {
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 120_000)
