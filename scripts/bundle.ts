import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages that become part of the bundle. They are loaded in the middle of a computation, by a call that other bundlers cannot follow. */
const inlined = ['re2js', '@marcbachmann/cel-js']

/**
 * Puts the library and the command line into few files below `dist`, a folder beside `bin`: finding and compiling hundreds of small modules costs more
 * than most commands do. Each door, the command line, the worker and each module that it loads is a file of its own; what they
 * share, and what is loaded late, are chunks. Other packages stay where they are.
 */
export async function bundlePackage(dist: string): Promise<void> {
  const doors = packageDoors()
  await bundle(
    { ...Object.fromEntries(doors.map(({ name, source }) => [name, source])), ...programs() },
    join(dist, 'bundle'),
  )
  await bundle(childPrograms(), join(dist, 'bundle', 'program'))
  for (const { name } of doors) {
    // The client runs in browsers too, where there is no Node to require.
    const guard = name === 'client' ? '' : `import '../bin/require-node.js'\n`
    const text = `${guard}export * from './bundle/${name}.js'\n`
    writeFileSync(join(dist, `${name}.js`), text)
  }
  const licenses = inlined.map((name) => `${name}\n\n${licenseOf(join(root, 'node_modules', name))}`)
  writeFileSync(join(dist, 'bundle', 'LICENSES.txt'), licenses.join('\n\n'))
}

async function bundle(input: Readonly<Record<string, string>>, dir: string): Promise<void> {
  const made = await rolldown({
    cwd: root,
    input: { ...input },
    platform: 'node',
    transform: { target: 'node22' },
    external: (id) => !/^[./]|^@oxc-project\/runtime\//.test(id) && !inlined.includes(id),
    plugins: [tables(), places(), oldNodes()],
  })
  // Chunks lie beside the entries: modules find the worker, and the worker finds its jobs, beside themselves.
  const comments = { legal: true, annotation: true, jsdoc: false }
  await made.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', comments })
  await made.close()
}

interface Door {
  /** The name of its file in `dist`. */
  readonly name: string
  readonly source: string
}

type Exports = Readonly<Record<string, string | { readonly types: string; readonly default: string }>>

/** The doors that package.json exports: each one's code is a file of its own in `dist`, and its types lie as its source does. */
function packageDoors(): Door[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Exports }
  return Object.entries(exports).flatMap(([path, door]) => {
    if (typeof door === 'string') return []
    const name = path.slice('./'.length).replaceAll('/', '-')
    if (door.default !== `./dist/${name}.js`)
      throw new Error(`package.json: the door ${path} has to be ./dist/${name}.js`)
    return [{ name, source: join(root, door.types.replace('./dist/', 'src/').replace('.d.ts', '.ts')) }]
  })
}

/** What is started or imported by its address: the command line, the worker, and the modules that the worker imports. */
function programs(): Record<string, string> {
  const modules = globSync('src/**/*.ts', { cwd: root, exclude: ['**/testdata/**', '**/*.test.ts'] })
  const jobs = modules.filter((file) => readFileSync(join(root, file), 'utf8').includes(ownAddress))
  const files = ['src/cli/run.ts', 'src/render/stoppable/worker-main.ts', ...jobs]
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join(root, file)]))
}

/** What runs in the child process that renders a program. It may read its own folder and nothing else of this package. */
function childPrograms(): Record<string, string> {
  const names = ['define-source', 'supervise', 'run-program']
  return Object.fromEntries(names.map((name) => [name, join(root, 'src/render/program', `${name}.ts`)]))
}

function licenseOf(folder: string): string {
  const [file = 'package.json'] = globSync('LICENSE*', { cwd: folder })
  return readFileSync(join(folder, file), 'utf8')
}

const oneTable = /readFileSync\(new URL\('(\.[^']+\.json)', import\.meta\.url\), 'utf8'\)/
const manyTables = /readFileSync\(new URL\(`(\.[^`$]+\/)\$\{(\w+)\}`, import\.meta\.url\), 'utf8'\)/

/** Makes the tables that modules read beside themselves part of the code, as texts that are parsed when they are needed. */
function tables(): Plugin {
  return {
    name: 'tables',
    transform(code, id) {
      const one = oneTable.exec(code)
      if (one !== null) return { code: code.replace(one[0], () => textOf(join(dirname(id), one[1]!))), map: null }
      const [found, folder = '', name = ''] = manyTables.exec(code) ?? []
      if (found === undefined) return null
      const files = globSync('**/*.json', { cwd: join(dirname(id), folder) }).sort()
      const texts = files.map((file) => `${JSON.stringify(file)}: ${textOf(join(dirname(id), folder, file))}`)
      return { code: `${code.replace(found, `tables[${name}]`)}\nconst tables = { ${texts.join(', ')} }\n`, map: null }
    },
  }
}

function textOf(file: string): string {
  // In single quotes hardly any character of JSON needs a backslash.
  const json = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')))
  return `'${json.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const ownAddress = 'module: import.meta.url'

/** These look for a file beside the bundle, or for a package: that is right as it is. */
const rightAsTheyAre = ['src/render/stoppable/run-in-worker.ts', 'src/render/pack/engine/load-engine.ts']

/** It says where the files of the child process are: beside it, and below the bundle. */
const placeOfPrograms = 'src/render/program/place.ts'

/** Keeps what modules know about their own place true, and stops the build where it cannot. */
function places(): Plugin {
  return {
    name: 'places',
    transform(code, id) {
      if (!code.includes('import.meta.url') || !id.startsWith(join(root, 'src/'))) return null
      const file = relative(root, id)
      if (rightAsTheyAre.includes(file)) return null
      if (file === placeOfPrograms) {
        const place = `new URL('./program/place.js', import.meta.url).href`
        return { code: code.replaceAll('import.meta.url', place), map: null }
      }
      const placed = code
        .replace(ownAddress, `module: new URL('./${basename(id, '.ts')}.js', HERE).href`)
        .replace(/createRequire\(import\.meta\.url\)\(('[^']+')\)/, 'require($1)')
        .replace("new URL('../../../package.json', import.meta.url)", "new URL('../../package.json', HERE)")
      // In backticks it is a word of a comment.
      if (/[^`]import\.meta\.url/.test(placed)) this.error(`${id} looks for a file that a bundle does not have`)
      return { code: placed.replaceAll('HERE', 'import.meta.url'), map: null }
    },
  }
}

/**
 * Asks for newer parts of Node when a module runs. As imports they would fail on an old Node before the first module runs, the one
 * that says which Node is needed.
 */
function oldNodes(): Plugin {
  const newer = /^import \{ ([^}]+) \} from "node:(module|sqlite|zlib)";$/gm
  return {
    name: 'old nodes',
    renderChunk: (code) =>
      code.replaceAll(newer, (_, names: string, from: string) => {
        return `const { ${names.replaceAll(' as ', ': ')} } = process.getBuiltinModule("node:${from}");`
      }),
  }
}
