import { z } from 'zod'
import { isRecord } from '../../core/index.ts'
import type { SavedPlan, StoreConfig } from '../../release/index.ts'
import type { BuildOutputs, BuildPlan, SyncOutputs, SyncPlan } from '../build/build-plan.ts'
import type { InputValue } from '../config/input-value.ts'
import type { ApplyOutputs, DriftOutputs, HealthOutputs, PlanOutputs } from '../deploy/deploy-outputs.ts'
import type { DeployPlan } from '../deploy/deploy-plan.ts'
import type { JobOperation } from './job-operations.ts'

// Objects are loose: fields that a newer Lading added are kept.
const texts = z.array(z.string())
const savedPlan = z.custom<SavedPlan>(
  (value) =>
    isRecord(value) && isRecord(value['release']) && isRecord(value['inputs']) && Array.isArray(value['actions']),
  'expected a saved plan',
)
const demands = {
  trust: z.looseObject({ verify_keys: texts.optional(), plan_keys: texts.optional() }).optional(),
  registry_access: z
    .looseObject({
      plain_http: z.boolean().optional(),
      registry_ca: z.string().optional(),
      insecure_skip_tls_verify: z.boolean().optional(),
      token_hosts: texts.optional(),
    })
    .optional(),
}

const buildPlan: z.ZodType<BuildPlan> = z.looseObject({
  ...demands,
  created: z.string().optional(),
  recipients: texts.optional(),
  component_id: z.string(),
  component_build_id: z.string(),
  git_source: z
    .looseObject({
      url: z.string(),
      ref: z.string().optional(),
      commit: z.string().optional(),
      path: z.string(),
      recurse_submodules: z.boolean(),
    })
    .optional(),
  folder: z.string(),
  dst_registry: z.string(),
  dst_tag: z.string(),
  kubernetes_manifest_build_plan: z.looseObject({
    labels: z.record(z.string(), z.string()),
    source_type: z.enum(['inline', 'kustomize', 'program', 'oci_artifact']),
    probes: z.array(
      z.looseObject({
        kind: z.string(),
        name: z.string(),
        type: z.enum(['http', 'command']),
        path: z.string().optional(),
        port: z.string().optional(),
        command: texts.optional(),
      }),
    ),
    inline_manifest: z.string().optional(),
    manifest_inputs: z
      .record(
        z.string(),
        z.custom<InputValue>((value) => value !== undefined && value !== null),
      )
      .optional(),
    kustomize_path: z.string().optional(),
    kustomize_config: z
      .looseObject({
        patches: texts,
        enable_helm: z.boolean(),
        load_restrictor: z.enum(['rootOnly', 'none']),
        allow_remote: texts.optional(),
        allow_unpinned: z.boolean().optional(),
      })
      .optional(),
    program: z
      .looseObject({ path: z.string(), values: z.record(z.string(), z.unknown()), namespace: z.string() })
      .optional(),
    oci_artifact_source: z
      .looseObject({
        url: z.string(),
        tag: z.string().optional(),
        digest: z.string().optional(),
        credentials_ref: z.string().optional(),
      })
      .optional(),
  }),
})

const syncPlan: z.ZodType<SyncPlan> = z.looseObject({
  ...demands,
  src_registry: z.string(),
  src_tag: z.string(),
  dst_registry: z.string(),
  dst_tag: z.string(),
})

const deployPlan: z.ZodType<DeployPlan> = z.looseObject({
  ...demands,
  install_id: z.string().optional(),
  component_id: z.string(),
  component_name: z.string(),
  kubernetes_manifest: z.looseObject({
    namespace: z.string(),
    oci_artifact: z
      .looseObject({ url: z.string(), tag: z.string().optional(), digest: z.string().optional() })
      .optional(),
  }),
  wait: z.boolean().optional(),
  wait_for_jobs: z.boolean().optional(),
  timeout_ms: z.number().optional(),
  stabilization_ms: z.number().optional(),
  create_namespace: z.boolean().optional(),
  force_conflicts: z.boolean().optional(),
  take_ownership: z.boolean().optional(),
  replace: z.boolean().optional(),
  dependencies: texts.optional(),
  correct_drift: z.boolean().optional(),
  remove_foreign_fields: z.boolean().optional(),
  ignore_managers: texts.optional(),
  default_ignores: z.boolean().optional(),
  rollback_to: z.string().optional(),
  plan_lifetime_ms: z.number().optional(),
  apply_plan_contents: savedPlan.optional(),
  approval: z
    .looseObject({
      plan_hash: z.string(),
      decision: z.enum(['approve', 'deny']),
      by: z.string(),
      at: z.string(),
      signatures: texts.optional(),
    })
    .optional(),
  engine: z
    .looseObject({
      storage: z.custom<StoreConfig>((value) => isRecord(value) && typeof value['driver'] === 'string').optional(),
      as: z.string().optional(),
      as_groups: texts.optional(),
    })
    .optional(),
})

const buildOutputs: z.ZodType<BuildOutputs> = z.looseObject({
  artifact: z.string(),
  digest: z.string(),
  tag: z.string(),
  signed: z.boolean(),
  encrypted: z.boolean(),
  metadata: z.custom<BuildOutputs['metadata']>(isRecord),
  objects: texts,
})

const syncOutputs: z.ZodType<SyncOutputs> = z.looseObject({ artifact: z.string(), digest: z.string() })

const planOutputs: z.ZodType<PlanOutputs> = z.looseObject({
  plan: savedPlan,
  plan_hash: z.string(),
  unchanged: z.boolean(),
  changes: z.array(z.custom<PlanOutputs['changes'][number]>(isRecord)),
  text: z.string(),
})

const revision = { revision: z.number().optional(), objects: z.number().optional(), digest: z.string().optional() }

const applyOutputs: z.ZodType<ApplyOutputs> = z.looseObject({
  outcome: z.enum(['deployed', 'unchanged', 'uninstalled']),
  resumed: z.boolean().optional(),
  ...revision,
})

const healthOutputs: z.ZodType<HealthOutputs> = z.looseObject({
  outcome: z.literal('unchanged'),
  health: z.literal('healthy'),
  ...revision,
})

const fields = z.array(z.looseObject({ path: z.string(), manager: z.string().optional(), time: z.string().optional() }))

const driftOutputs: z.ZodType<DriftOutputs> = z.looseObject({
  result: z.enum(['no-drift', 'drift-detected']),
  artifact: z.looseObject({
    deployed: z.string().optional(),
    current: z.string().optional(),
    changed: z.boolean(),
  }),
  objects: z.array(
    z.looseObject({
      id: z.string(),
      state: z.enum(['modified', 'added', 'missing', 'orphan']),
      changes: fields,
      added: fields,
    }),
  ),
  unlisted: texts.optional(),
  corrected: z.boolean().optional(),
  revision: z.number().optional(),
  left: z.boolean().optional(),
})

/** What the plan and the outputs of each operation look like. */
export const jobSchemas = {
  build: { type: 'kubernetes-manifest-build', plan: buildPlan, outputs: buildOutputs },
  sync: { type: 'oci-sync', plan: syncPlan, outputs: syncOutputs },
  'create-apply-plan': { type: 'kubernetes-manifest-deploy', plan: deployPlan, outputs: planOutputs },
  'create-teardown-plan': { type: 'kubernetes-manifest-deploy', plan: deployPlan, outputs: planOutputs },
  'apply-plan': { type: 'kubernetes-manifest-deploy', plan: deployPlan, outputs: applyOutputs },
  'check-health': { type: 'kubernetes-manifest-deploy', plan: deployPlan, outputs: healthOutputs },
  'detect-drift': { type: 'kubernetes-manifest-deploy', plan: deployPlan, outputs: driftOutputs },
} as const satisfies Record<JobOperation, { type: string; plan: z.ZodType; outputs: z.ZodType }>
