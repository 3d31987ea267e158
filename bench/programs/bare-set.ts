// The limit as a program: reads where to and what from standard input, sends the requests, ends.
import { readFileSync } from 'node:fs'
import type { KubeObject } from '../../src/core/index.ts'
import { type BareTarget, openBarePool } from '../bare/bare-pool.ts'
import { type BareVerb, sendSet } from '../bare/bare-set.ts'
import { timed } from '../measure/sample.ts'

interface Input {
  readonly target: BareTarget
  readonly verb: BareVerb
  readonly json: string
  readonly namespace: string
}

const { target, verb, json, namespace } = JSON.parse(readFileSync(0, 'utf8')) as Input
const pool = openBarePool(target)
const objects = JSON.parse(readFileSync(json, 'utf8')) as KubeObject[]
process.stdout.write(JSON.stringify(await timed(async () => void (await sendSet(pool, verb, objects, namespace)))))
await pool.close()
