import { createMask, isLadingError, isSecretKind, maskSecret, stringifyJson } from '../../core/index.ts'
import { readObjects, writeDocuments } from '../../core/yaml/index.ts'
import { maskPlan } from '../../release/index.ts'
import type { BuildPlan } from '../build/build-plan.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'
import type { Job } from './job.ts'

/** A job as it may be shown: the values of Secrets in an inline manifest masked, so is the seed of a plan, addresses without user and password. */
export function shownJob(job: Job): Job {
  if (job.state === 'unknown') return job
  switch (job.operation) {
    case 'sync':
      return job
    case 'build':
      return { ...job, plan: shownBuild(job.plan) }
    case 'create-apply-plan':
    case 'create-teardown-plan': {
      const { outputs } = job
      const shown = { ...job, plan: shownDeploy(job.plan) }
      return outputs === undefined ? shown : { ...shown, outputs: { ...outputs, plan: maskPlan(outputs.plan) } }
    }
    case 'apply-plan':
    case 'check-health':
    case 'detect-drift':
      return { ...job, plan: shownDeploy(job.plan) }
  }
}

function shownDeploy(plan: DeployPlan): DeployPlan {
  const { apply_plan_contents: contents } = plan
  return contents === undefined ? plan : { ...plan, apply_plan_contents: maskPlan(contents) }
}

function shownBuild(plan: BuildPlan): BuildPlan {
  const { git_source: git, kubernetes_manifest_build_plan: build } = plan
  const { inline_manifest: manifest, manifest_inputs: inputs, program } = build
  return {
    ...plan,
    ...(git === undefined ? {} : { git_source: { ...git, url: withoutUser(git.url) } }),
    kubernetes_manifest_build_plan: {
      ...build,
      ...(manifest === undefined ? {} : { inline_manifest: maskManifest(manifest) }),
      ...(inputs === undefined ? {} : { manifest_inputs: maskInputs(inputs) }),
      ...(program?.values === undefined ? {} : { program: { ...program, values: maskInputs(program.values) } }),
    },
  }
}

/** Any of them may go into a Secret. */
function maskInputs(inputs: Readonly<Record<string, unknown>>): Record<string, string> {
  const mask = createMask()
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, mask(stringifyJson(value))]))
}

function withoutUser(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/\s@]*@/i, '$1')
}

function maskManifest(text: string): string {
  // A line without these is the path of a file, as it is to the build.
  if (!/[\n:{]/.test(text)) return text
  try {
    const objects = readObjects(text)
    const mask = createMask()
    return objects.some(isSecretKind) ? writeDocuments(objects.map((object) => maskSecret(object, mask))) : text
  } catch (error) {
    if (!isLadingError(error)) throw error
    return '(not shown: it cannot be read, and may hold a Secret)'
  }
}
