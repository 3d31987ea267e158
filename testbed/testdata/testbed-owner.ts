import { startTestbed } from '../testbed.ts'

/* A process that has a testbed and never stops it: the e2e suite kills it. */
const testbed = await startTestbed()
process.send?.({ kubeconfig: testbed.kubeconfig })
process.on('message', () => undefined)
