// Builds one kustomization: node bench/programs/build-kustomization.ts FOLDER PATH COUNT
// With a COUNT it builds as many times and prints what each took; without one it prints the objects, as the originals do.
import { buildKustomization, folderTree, renderYaml } from '../../src/render/kustomize/index.ts'

const [, , folder = '', path = '', count] = process.argv

const build = (): string => renderYaml(buildKustomization(folderTree(folder), path))

if (count === undefined) process.stdout.write(build())
else {
  const times = Array.from({ length: Number(count) }, () => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    build()
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    return { ms, cpuMs: (user + system) / 1000 }
  })
  process.stdout.write(JSON.stringify(times))
}
