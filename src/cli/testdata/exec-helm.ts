import { execFile } from 'node:child_process'

/** Runs the real helm with a home of its own, and gives what it came to. */
export function execHelm(helm: string, cwd: string, ...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { HOME: cwd, PATH: '', KUBECONFIG: '/dev/null' }
  return new Promise((resolve) => {
    execFile(helm, args, { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })
}
