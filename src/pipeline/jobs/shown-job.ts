import { createMask, isLadingError, isRecord, isSecretKind, maskSecret, stringifyJson } from '../../core/index.ts'
import { readObjects, writeDocuments } from '../../core/yaml/index.ts'
import { maskPlan, type SavedPlan } from '../../release/index.ts'
import type { Job, JobData } from './job.ts'

/** A job as it may be shown: the values of Secrets in an inline manifest masked, so is the seed of a plan, addresses without user and password. */
export function shownJob(job: Job): Job {
  const { git_source: git, kubernetes_manifest_build_plan: build, apply_plan_contents: contents } = job.plan
  const planned = job.outputs?.['plan']
  return {
    ...job,
    ...(isSavedPlan(planned) ? { outputs: { ...job.outputs, plan: maskPlan(planned) } } : {}),
    plan: {
      ...job.plan,
      ...(isSavedPlan(contents) ? { apply_plan_contents: maskPlan(contents) } : {}),
      ...(isRecord(git) ? { git_source: changed(git, 'url', withoutUser) } : {}),
      ...(isRecord(build)
        ? { kubernetes_manifest_build_plan: maskInputs(changed(build, 'inline_manifest', maskManifest)) }
        : {}),
    },
  }
}

function isSavedPlan(value: unknown): value is SavedPlan {
  return isRecord(value) && isRecord(value['inputs'])
}

function changed(data: JobData, field: string, change: (text: string) => string): JobData {
  const text = data[field]
  return typeof text === 'string' ? { ...data, [field]: change(text) } : data
}

/** Any of them may go into a Secret. */
function maskInputs(build: JobData): JobData {
  const { manifest_inputs: inputs, program } = build
  const mask = createMask()
  const masked = (values: JobData): JobData =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(stringifyJson(value))]))
  return {
    ...build,
    ...(isRecord(inputs) ? { manifest_inputs: masked(inputs) } : {}),
    ...(isRecord(program) && isRecord(program['values'])
      ? { program: { ...program, values: masked(program['values']) } }
      : {}),
  }
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
