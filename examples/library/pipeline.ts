// Builds a component into an artifact, plans its deploy, approves the plan and applies it.
import { tmpdir } from 'node:os'
import { context } from 'lading/core'
import { memoryTarget } from 'lading/oci'
import { deployComponent, openJobStore, parseComponent, type PlannedDeploy, resolveInputs } from 'lading/pipeline'
import { createStore } from 'lading/release'
import { startSandbox } from 'lading/sandbox'

const text = `
type = "kubernetes_manifest"
name = "shop"
namespace = "default"
manifest = """
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { stage: "{{ .inputs.stage }}" }
"""
[inputs.stage]
`
const ctx = context()
await using sandbox = await startSandbox()
await using cluster = await sandbox.connect()
const registry = memoryTarget()
const engine = { cluster, store: createStore({ driver: 'secrets' }, cluster) }
const services = { open: () => registry, workspace: tmpdir(), clock: ctx.clock, engine: async () => engine }
using store = openJobStore(':memory:', ctx.clock)

const component = resolveInputs(parseComponent(text, 'toml', 'shop.toml'), { stage: 'production' })
const build = { registry: 'oci://registry.example/shop', tag: 'v1' }
const approve = async ({ plan_hash, text }: PlannedDeploy) => {
  console.log(text)
  return { plan_hash, decision: 'approve', by: 'ada', at: new Date().toISOString() } as const
}
const { ended } = await deployComponent({ store, services }, component, { build }, { approve }, ctx)
console.log(ended, (await cluster.get('v1', 'ConfigMap', 'default/settings'))?.data)
