import { z } from 'zod'
import { isLadingError, type Json, parseDuration } from '../../core/index.ts'
import { inputTypes } from './input-value.ts'
import { readSchedule } from './read-schedule.ts'

const text = z.string().min(1, 'must not be empty')

function duration(atMost: string): z.ZodType<string> {
  return z
    .string()
    .refine((value) => parseDuration(value) !== undefined, 'must be a duration such as 90s, 5m or 1h30m')
    .refine((value) => (parseDuration(value) ?? 0) <= (parseDuration(atMost) ?? 0), `must be at most ${atMost}`)
    .refine((value) => parseDuration(value) !== 0, 'must be longer than nothing')
}

// Zod's own has no bigints, which integers past 2^53 are.
const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
)

const input = z
  .strictObject({
    description: z.string().optional(),
    type: z.enum(inputTypes).optional().describe('Type of its values; that of the default unless given, else string.'),
    default: z
      .union([z.string(), z.number(), z.bigint(), z.boolean(), z.array(json), z.record(z.string(), json)])
      .optional(),
  })
  .describe('Something that is given when the component is built, and that namespace and manifest may name.')

const repository = z.strictObject({
  repo: text.describe('Address of the git repository.'),
  directory: z.string().optional().describe('Folder of the repository that the component lives in.'),
  branch: text.optional().describe('Branch or tag; the default branch unless given.'),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'must be a whole commit id')
    .optional()
    .describe('The commit to build, whatever the branch has moved on to.'),
  submodules: z.boolean().optional().describe('Fetch submodules too.'),
})

const kustomize = z.strictObject({
  path: text.describe('Folder with the kustomization, relative to the repository or to the component file.'),
  patches: z.array(text).optional().describe('Files with patches that are applied to what was built.'),
  enable_helm: z.boolean().optional().describe('Inflate helmCharts.'),
  load_restrictor: z.enum(['rootOnly', 'none']).optional().describe('Which files it may read; rootOnly unless given.'),
})

const program = z.strictObject({
  path: text.describe(
    'A .ts, .mts, .js or .mjs file, or a folder with source.ts, relative to the repository or to the component file.',
  ),
  values: z
    .record(z.string(), json)
    .optional()
    .describe('What the program is given as values; may name inputs, as in {{ .inputs.stage }}.'),
})

const artifact = z.strictObject({
  url: z
    .string()
    .regex(/^oci:\/\/[^\s@]+$/, 'must be oci://host/repository, with tag and digest in fields of their own')
    .describe('Where the artifact is, without tag and digest.'),
  tag: text.optional(),
  digest: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits')
    .optional(),
  credentials_ref: text.optional().describe('Name of the credentials that the runner knows for this registry.'),
})

const probe = z
  .strictObject({
    kind: text,
    name: text,
    type: z.enum(['http', 'command']),
    path: z.string().optional(),
    port: z.union([z.int(), text]).optional(),
    command: z.array(text).min(1, 'must not be empty').optional(),
  })
  .describe('A check of one object, in addition to its readiness.')

const health = z.strictObject({
  enabled: z.boolean().optional().describe('Wait until everything is healthy; true unless given.'),
  stabilization_window: duration('1h').optional(),
  probes: z.array(probe).optional(),
})

const schedule = z.string().superRefine((value, check) => {
  try {
    readSchedule(value)
  } catch (error) {
    if (!isLadingError(error)) throw error
    check.addIssue({ code: 'custom', message: `is no schedule: ${error.message}` })
  }
})

/** What a component file may say; the JSON Schema for editors is made from it. */
export const componentSchema = z.strictObject({
  type: z.literal('kubernetes_manifest'),
  name: z
    .string()
    .max(53, 'must have at most 53 characters')
    .regex(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/, 'must be lower-case letters, digits and dashes'),
  namespace: text.describe('Namespace of the objects; may name inputs, as in {{ .inputs.stage }}.'),
  manifest: text.optional().describe('Objects as YAML, or the path of a file with them.'),
  kustomize: kustomize.optional(),
  program: program.optional(),
  oci_artifact: artifact.optional(),
  public_repo: repository.optional(),
  connected_repo: repository.optional(),
  inputs: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'must be a word'), input).optional(),
  drift_schedule: schedule.optional().describe('When to look for drift, as crontab writes it, in UTC.'),
  build_timeout: duration('1h').optional().describe('5m unless given.'),
  deploy_timeout: duration('1h').optional().describe('15m unless given.'),
  max_auto_retries: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe('How often a build, a plan or a look for drift that failed is tried again; 0 unless given.'),
  dependencies: z.array(text).optional().describe('Components that are deployed before this one.'),
  health: health.optional(),
})

/** A component file as it is written. */
export type ComponentFile = z.infer<typeof componentSchema>
