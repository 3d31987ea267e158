import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    kubeconfig: string
  }
}

/** Gives every suite the kubeconfig of one running control plane. */
export default function setup(project: TestProject): void {
  const kubeconfig = process.env['LADING_TESTBED_KUBECONFIG']
  if (kubeconfig === undefined) throw new Error('no control plane: set LADING_TESTBED_KUBECONFIG')
  project.provide('kubeconfig', kubeconfig)
}
