import { openProcesses } from '../processes.ts'

/* A process that has a child which has a child, and never stops them: the test kills it. */
const processes = await openProcesses()
const shell = await processes.start({ name: 'shell', command: 'sh', args: ['-c', 'sleep 600 & echo $!; wait'] })
process.send?.({ folder: processes.folder, pid: shell.pid, log: shell.log, supervisor: processes.supervisor })
process.on('message', () => undefined)
