import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { compareBuild } from '../src/render/kustomize/testdata/compare.ts'
import { forEachAtOnce, type Original, runOriginal } from '../src/render/kustomize/testdata/oracle.ts'
import { noNpmClients, npmClients } from '../testbed/npm-clients.ts'
import { peer } from '../testbed/peers.ts'

// Usage: kustomize-real-trees.ts FOLDER [--kubectl]: each folder directly below FOLDER is a checkout of a public repository.
// Builds every kustomization in them that the original builds without a network, with both, and prints what differs. The
// original is the kustomize that the testbed builds, or the older one in kubectl.
const [folder = '', flag] = process.argv.slice(2)
if (folder === '' || folder.startsWith('--')) throw new Error('say which folder holds the checkouts')
const original = flag === '--kubectl' ? await kubectlKustomize() : await newestKustomize()

const total = { built: 0, agreed: 0, sameBytes: 0 }
for (const entry of readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory())) {
  const root = resolve(folder, entry.name)
  const outcomes = await forEachAtOnce(kustomizationRoots(root), 2, async (path) => ({
    path,
    expected: await runOriginal(original, root, path),
  }))
  const built = outcomes.filter(({ expected }) => 'yaml' in expected)
  const compared = built.map(({ path, expected }) => ({ path, ...compareBuild(root, path, expected) }))
  const differing = compared.filter(({ difference }) => difference !== undefined)
  for (const { path, difference } of differing) console.log(`${entry.name}/${path}: ${difference}`)
  const sameBytes = compared.filter((each) => each.sameBytes).length
  const agreed = built.length - differing.length
  console.log(`${entry.name}: ${agreed} of ${built.length} agree, ${sameBytes} to the byte (${outcomes.length} roots)`)
  total.built += built.length
  total.agreed += agreed
  total.sameBytes += sameBytes
}
console.log(`all: ${total.agreed} of ${total.built} agree, ${total.sameBytes} to the byte`)
process.exitCode = total.agreed === total.built ? 0 : 1

async function newestKustomize(): Promise<Original> {
  return [(await peer('kustomize')).path, 'build']
}

async function kubectlKustomize(): Promise<Original> {
  const clients = await npmClients()
  if (clients === undefined) throw new Error(noNpmClients)
  return [clients.kubectl, 'kustomize']
}

function kustomizationRoots(root: string): string[] {
  const names = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.has(entry.name))
    .map((entry) => relative(root, dirname(join(entry.parentPath, entry.name))) || '.')
    .sort()
}
