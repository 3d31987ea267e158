// Reads one file in one way and prints what that took: node bench/programs/read-yaml.ts WAY FILE
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadAll } from 'js-yaml'
import { readObjects } from '../../src/core/yaml/index.ts'

const [, , way = '', file = ''] = process.argv
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const text = readFileSync(file, 'utf8')
collectGarbage()
const heapBefore = process.memoryUsage().heapUsed
const cpuBefore = process.cpuUsage()
const start = performance.now()
const read: readonly unknown[] = way === 'js-yaml' ? loadAll(text) : readObjects(text)
const ms = performance.now() - start
const { user, system } = process.cpuUsage(cpuBefore)
collectGarbage()
const heapBytes = process.memoryUsage().heapUsed - heapBefore
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000, heapBytes, objects: read.length }))
