import { type Extensions, invalidRequest } from '../deployment/index.ts'
import type { FluxSettings } from './flux-config.ts'
import { kustomizationSourceKinds } from './flux-kinds.ts'
import { set } from './helm-release-spec.ts'
import { type Spec, sourceReference } from './source-reference.ts'

/** Lays the extensions of a request over the spec of a Kustomization; a field that no extension names stays as it is. */
export function kustomizationSpec(before: Spec, extensions: Extensions, settings: FluxSettings): Spec {
  const spec: Record<string, unknown> = { ...before }
  const path = extensions['flux.path']
  if (typeof path === 'string') checkPath(path)
  set(spec, 'path', path ?? before['path'] ?? './')
  spec['sourceRef'] = sourceReference(before['sourceRef'], extensions, {
    kinds: kustomizationSourceKinds,
    defaultKind: 'GitRepository',
    owner: 'Kustomization',
    namespace: settings.sourceNamespace,
  })
  set(spec, 'prune', extensions['flux.prune'] ?? before['prune'] ?? settings.prune)
  set(spec, 'force', extensions['flux.force'] ?? before['force'] ?? settings.force)
  set(spec, 'wait', extensions['flux.wait'])
  set(spec, 'postBuild', extensions['flux.postBuild'])
  set(spec, 'patches', extensions['flux.patches'])
  set(spec, 'components', extensions['flux.components'])
  return spec
}

/** Refuses a path that leaves the source. */
function checkPath(path: string): void {
  const parts = path.split('/')
  const isOutside = path.startsWith('/') || parts.includes('..') || path.includes('\0') || path.includes('\\')
  if (isOutside) throw invalidRequest(`invalid path: ${JSON.stringify(path)} leaves its source`, { field: 'flux.path' })
}
