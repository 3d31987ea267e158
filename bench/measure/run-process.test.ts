import { describe, expect, it } from 'vitest'
import { runOwn, runProcess } from './run-process.ts'

const never = new AbortController().signal
const node = (script: string, okCodes?: readonly number[]) => ({
  command: process.execPath,
  args: ['-e', script],
  ...(okCodes !== undefined && { okCodes }),
})

describe('a program that is measured', () => {
  it('gives what it printed, and on Linux its processor time and peak memory', async () => {
    const script = `const held = Buffer.alloc(150e6, 1); setTimeout(() => console.log(held.length), 100)`
    const run = await runOwn(node(script), never)
    expect(run.stdout).toBe('150000000\n')
    expect(run.ms).toBeGreaterThan(100)
    if (process.platform !== 'linux') return
    expect(run.peakBytes).toBeGreaterThan(150e6)
    expect(run.cpuMs).toBeLessThanOrEqual(run.ms * 10)
  })

  it('reads its standard input', async () => {
    const run = await runOwn({ ...node('process.stdin.pipe(process.stdout)'), stdin: 'some text' }, never)
    expect(run.stdout).toBe('some text')
  })

  it('says why it failed by the last line of its errors', async () => {
    const script = `console.error('warning: old'); console.error('Error: too large'); process.exitCode = 3`
    await expect(runProcess(node(script), never)).resolves.toEqual({ failure: 'Error: too large' })
    await expect(runOwn(node(script), never)).rejects.toThrow('Error: too large')
  })

  it('succeeds with the exit code that means success, and fails with 0 where that does not', async () => {
    await expect(runProcess(node('process.exitCode = 1', [1]), never)).resolves.toMatchObject({ stdout: '' })
    await expect(runProcess(node('', [1]), never)).resolves.toEqual({ failure: 'exit code 0' })
  })

  it('that does not exist is a failure', async () => {
    const run = await runProcess({ command: '/no/such/program', args: [] }, never)
    expect(run).toEqual({ failure: expect.stringContaining('ENOENT') as string })
  })

  it('is ended by an abort', async () => {
    const aborted = new AbortController()
    const run = runProcess(node('setTimeout(() => {}, 60_000)'), aborted.signal)
    aborted.abort(new Error('interrupted'))
    await expect(run).rejects.toThrow('interrupted')
  })
})
