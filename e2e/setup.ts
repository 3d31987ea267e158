import type { TestProject } from 'vitest/node'
import { startTestbed } from '../testbed/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of a kubeconfig with the contexts admin, editor, reader, nobody and throttled. */
    kubeconfig: string
  }
}

/** Gives every suite the kubeconfig of one running control plane, and ends that afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const existing = process.env['LADING_TESTBED_KUBECONFIG']
  if (existing !== undefined && existing !== '') {
    project.provide('kubeconfig', existing)
    return async () => undefined
  }
  const testbed = await startTestbed()
  project.provide('kubeconfig', testbed.kubeconfig)
  return () => testbed.stop()
}
