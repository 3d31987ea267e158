// The limit as a program: reads where to and what from standard input, sends the requests, ends.
import { readFileSync } from 'node:fs'
import type { KubeObject } from '../../src/core/index.ts'
import { type BareTarget, openBarePool } from '../bare/bare-pool.ts'
import { type BareVerb, sendSet } from '../bare/bare-set.ts'

interface Input {
  readonly target: BareTarget
  readonly verb: BareVerb
  readonly json: string
  readonly namespace: string
}

const { target, verb, json, namespace } = JSON.parse(readFileSync(0, 'utf8')) as Input
const pool = openBarePool(target)
await sendSet(pool, verb, JSON.parse(readFileSync(json, 'utf8')) as KubeObject[], namespace)
await pool.close()
