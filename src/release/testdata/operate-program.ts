// An operation as a process of its own, to be killed.
import { context } from '../../core/index.ts'
import { connect } from '../../kube/index.ts'
import { createStore } from '../storage/create-store.ts'
import type { CrashContent } from './crash-content.ts'
import { type CrashOperation, operate } from './crash-operation.ts'

const [kubeconfig = '', driver = '', kind = '', namespace = '', operation = ''] = process.argv.slice(2)
const cluster = await connect({ kubeconfig }, context())
const store = createStore({ driver: driver as 'secrets' | 'helm' }, cluster)
await operate({ cluster, store }, kind as CrashContent, namespace, operation as CrashOperation)
await cluster.close()
