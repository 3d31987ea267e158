import type { GroupVersionKind, KubeObject } from '../../core/index.ts'
import { builtinSchema } from '../../schema/index.ts'
import { crdRules } from '../crd/crd-rules.ts'
import type { Cause } from '../status-error.ts'
import { apiDefaults } from './built-in/api-defaults.ts'
import { checkerOf } from './check.ts'
import { completerOf } from './complete.ts'
import { config } from './built-in/config.ts'
import type { Check, Complete, Family } from './family.ts'
import type { KindRules } from './kind-rules.ts'
import { jobs } from './built-in/jobs.ts'
import { network } from './built-in/network.ts'
import { pods } from './built-in/pod.ts'
import { policy } from './built-in/policy.ts'
import { rbac } from './built-in/rbac.ts'
import { registration } from './built-in/registration.ts'
import { services } from './built-in/service.ts'
import { storage } from './built-in/storage.ts'
import { workloads } from './built-in/workloads.ts'

/** What is known of built-in kinds beyond their schema. */
const families: readonly Family[] = [
  { kinds: { 'apiextensions.k8s.io/CustomResourceDefinition': crdRules } },
  { defaults: apiDefaults },
  config,
  pods,
  workloads,
  jobs,
  services,
  network,
  storage,
  rbac,
  policy,
  registration,
]

const defaults = tableOf<Complete>((family) => family.defaults)
const checks = tableOf<Check>((family) => family.checks)
const kinds = new Map(families.flatMap((family) => Object.entries(family.kinds ?? {})))

/** How the objects of a built-in kind behave. */
export function builtinRules(gvk: GroupVersionKind): KindRules {
  const own = kinds.get(`${gvk.group}/${gvk.kind}`) ?? {}
  // Made when the first object of the kind is written: most kinds never are.
  let complete: Complete | undefined
  let check: Check | undefined
  return {
    ...own,
    complete(object) {
      complete ??= completerOf(builtinSchema().type(gvk), defaults)
      complete(object)
      own.complete?.(object)
    },
    validate(object, old, env) {
      check ??= checkerOf(builtinSchema().type(gvk), checks)
      const causes = causesOf(check, own, object)
      const forgiven = own.asChecked !== undefined && old !== undefined && causesOf(check, own, old).length > 0
      const standing = forgiven ? [] : causes
      return own.validate === undefined ? standing : [...standing, ...own.validate(object, old, env)]
    },
  }
}

function causesOf(check: Check, { asChecked }: KindRules, object: KubeObject): Cause[] {
  const causes: Cause[] = []
  check(asChecked?.(object) ?? object, '', causes)
  return causes
}

/** Types by their full names. */
function tableOf<Entry>(
  pick: (family: Family) => Readonly<Record<string, Entry>> | undefined,
): ReadonlyMap<string, Entry> {
  return new Map(
    families.flatMap((family) =>
      Object.entries(pick(family) ?? {}).map(([name, entry]): [string, Entry] => [fullName(name), entry]),
    ),
  )
}

function fullName(name: string): string {
  return name.includes('.pkg.') ? `io.k8s.${name}` : `io.k8s.api.${name}`
}
