// A sandbox in a process of its own: prints where it is once it serves, and stops when standard input ends.
import type * as sandboxRoom from '../../src/sandbox/index.ts'

const [, , installed = ''] = process.argv
const { startSandbox } = (await import(`${installed}/dist/sandbox.js`)) as typeof sandboxRoom

const sandbox = await startSandbox()
process.stdout.write(`${JSON.stringify({ kubeconfig: sandbox.kubeconfig })}\n`)
process.stdin.resume()
process.stdin.once('end', () => void sandbox.stop().then(() => process.exit()))
