// Writes src/core/kinds/generated from src/schema/data: `node scripts/generate-kinds.ts`, or `--check` to compare only.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { kindFiles, type SchemaData } from './kind-files.ts'

const data = fileURLToPath(new URL('../src/schema/data/', import.meta.url))
const target = fileURLToPath(new URL('../src/core/kinds/generated/', import.meta.url))

const files = kindFiles(readData())
if (process.argv.includes('--check')) {
  const stale = [...files].filter(([name, text]) => read(`${target}${name}`) !== text).map(([name]) => name)
  const extra = readdirSync(target).filter((name) => !files.has(name))
  for (const name of [...stale, ...extra])
    console.error(`src/core/kinds/generated/${name} is stale: run node scripts/generate-kinds.ts`)
  process.exitCode = stale.length + extra.length > 0 ? 1 : 0
} else {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const [name, text] of files) writeFileSync(`${target}${name}`, text)
}

function readData(): SchemaData {
  const types = readdirSync(`${data}types`)
    .sort()
    .map((file) => readJson(`${data}types/${file}`) as SchemaData['types'])
  const { resources, types: kinds } = readJson(`${data}resources.json`) as {
    resources: SchemaData['resources']
    types: Record<string, string>
  }
  return { types: Object.assign({}, ...types) as SchemaData['types'], kinds, resources }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
