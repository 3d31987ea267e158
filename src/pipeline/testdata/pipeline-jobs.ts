import { join } from 'node:path'
import type { KubeObject } from '../../core/index.ts'
import { createObject, getObject } from '../../kube/index.ts'
import { planHash, type SavedPlan } from '../../release/index.ts'
import { planBuild } from '../build/build-plan.ts'
import type { Component } from '../config/component.ts'
import { parseComponent } from '../config/read-component.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'
import type { BuildOutputs } from '../build/build-plan.ts'
import type { PlanOutputs } from '../deploy/deploy-outputs.ts'
import type { DeployOperation } from '../deploy/deploy-handler.ts'
import type { Job, NewJob } from '../jobs/job.ts'
import type { TestPipeline } from './open-pipeline.ts'

/** Builds a component file into an artifact of a repository. */
export async function build(line: TestPipeline, text: string, repository = 'built'): Promise<Job<'build'>> {
  return buildOf(line, parseComponent(text, 'yaml', join(line.folder, 'component.yaml')), repository)
}

/** Builds a component into an artifact of a repository. */
export async function buildOf(line: TestPipeline, component: Component, repository = 'built'): Promise<Job<'build'>> {
  const plan = planBuild(component, { registry: `oci://${line.registry.host}/${repository}`, tag: 'v1' })
  const group = `build/${component.name}`
  return line.run({
    type: 'kubernetes-manifest-build',
    operation: 'build',
    group,
    plan: { ...plan },
    timeoutMs: 60_000,
  })
}

/** The plan of a component's deploy, without what is to be done. */
export function base(name: string, space: string): DeployPlan {
  return { component_id: name, component_name: name, kubernetes_manifest: { namespace: space } }
}

/** A job of a deploy. */
export function job<Operation extends DeployOperation>(operation: Operation, plan: DeployPlan): NewJob<Operation> {
  const group = `deploy/${plan.component_name}`
  const made = { type: 'kubernetes-manifest-deploy', operation, group, plan, timeoutMs: 60_000 } as const
  return made
}

/** Works out what applying a built artifact would do. */
export function plan(
  line: TestPipeline,
  name: string,
  space: string,
  outputs: Pick<BuildOutputs, 'artifact' | 'digest'>,
): Promise<Job<'create-apply-plan'>> {
  const artifact = { url: outputs.artifact.replace(/@.*/, ''), digest: outputs.digest }
  return line.run(
    job('create-apply-plan', {
      ...base(name, space),
      kubernetes_manifest: { namespace: space, oci_artifact: artifact },
    }),
  )
}

/** A plan that somebody approved. */
export function approved(name: string, space: string, contents: SavedPlan, hash = planHash(contents)): DeployPlan {
  const approval = { plan_hash: hash, decision: 'approve', by: 'test', at: '2026-01-01T00:00:00Z' } as const
  return { ...base(name, space), apply_plan_contents: contents, approval }
}

/** Applies what was worked out. */
export function apply(line: TestPipeline, name: string, space: string, outputs: PlanOutputs): Promise<Job<'apply-plan'>> {
  return line.run(job('apply-plan', approved(name, space, outputs.plan, outputs.plan_hash)))
}

/** Deploys a built artifact. */
export async function deploy(line: TestPipeline, name: string, space: string, outputs: BuildOutputs): Promise<Job<'apply-plan'>> {
  return apply(line, name, space, (await plan(line, name, space, outputs)).outputs!)
}

/** Makes a namespace. */
export async function namespace(line: TestPipeline, name: string): Promise<void> {
  await createObject(line.cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, {}, line.ctx)
}

/** A live ConfigMap. */
export function live(line: TestPipeline, space: string, name: string): Promise<KubeObject | undefined> {
  return getObject(line.cluster, { group: '', version: 'v1', kind: 'ConfigMap', namespace: space, name }, line.ctx)
}

/** The value of a live ConfigMap. */
export async function valueOf(line: TestPipeline, space: string, name: string): Promise<unknown> {
  const found = await live(line, space, name)
  return (found?.['data'] as Record<string, unknown> | undefined)?.['value']
}

/** A component file that holds manifests. */
export function inline(name: string, space: string, manifests: string): string {
  const indented = manifests.replace(/^/gm, '  ')
  return `type: kubernetes_manifest\nname: ${name}\nnamespace: ${space}\nmanifest: |\n${indented}`
}

/** The manifest of a ConfigMap. */
export function config(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n---\n`
}

/** The same ConfigMap as an object. */
export function object(space: string, name: string, value: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: space }, data: { value } }
}
