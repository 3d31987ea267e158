// Operations of a process that stops itself at one of its writes: one line of JSON in for each, one out when it has ended.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { context, toLadingError } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { createStore } from '../storage/create-store.ts'
import { operate } from './crash-operation.ts'
import type { StopOrder, StopOutcome } from './stop-process.ts'
import { stoppingCluster } from './stopping-cluster.ts'

const [kubeconfig = ''] = process.argv.slice(2)
const cluster = await connect({ kubeconfig }, context())
for await (const line of createInterface({ input: process.stdin })) {
  const { driver, kind, namespace, operation, at, cut, durationMs } = JSON.parse(line) as StopOrder
  const stopping = stoppingCluster(cluster, at ?? Infinity, cut)
  const engine = { cluster: stopping.cluster, store: createStore({ driver }, stopping.cluster), lock: { durationMs } }
  let ended = 'done'
  try {
    await operate(engine, kind, namespace, operation)
  } catch (error) {
    ended = toLadingError(error).code
  }
  const outcome: StopOutcome = { ended, writes: stopping.writes() }
  writeSync(1, `${JSON.stringify(outcome)}\n`)
}
await cluster.close()
