import { createHash } from 'node:crypto'
import { defined, stringifyJson } from '../../core/index.ts'
import type { PackOrigin } from '../../oci/index.ts'
import type { RemoteOptions } from '../../release/index.ts'
import type { RegistryAccess } from '../services.ts'
import type { Trust } from '../verify-demands.ts'
import type { Component, ComponentProbe, ComponentSource } from '../config/component.ts'
import type { InputValue } from '../config/input-value.ts'

/** Where an artifact is to go, or comes from. */
export interface RepositoryTag {
  /** `oci://host/repository` */
  readonly registry: string
  readonly tag: string
}

/** What a job of a build or a copy is held to, whoever runs it. */
export interface BuildDemands {
  readonly trust?: Trust
  readonly registry_access?: RegistryAccess
  /** When the artifact is said to be made, in ISO 8601; up to the runner unless given. */
  readonly created?: string
  /** Recipients of age (`age1…`) that the artifact is encrypted for. */
  readonly recipients?: readonly string[]
}

/** Everything that a build needs to know, as plain data; never a credential. */
export interface BuildPlan extends BuildDemands {
  readonly component_id: string
  readonly component_build_id: string
  readonly git_source?: {
    readonly url: string
    readonly ref?: string
    readonly commit?: string
    readonly path: string
    readonly recurse_submodules: boolean
  }
  /** The folder that local paths start from. */
  readonly folder: string
  readonly dst_registry: string
  readonly dst_tag: string
  readonly kubernetes_manifest_build_plan: {
    readonly labels: Readonly<Record<string, string>>
    readonly source_type: ComponentSource['type']
    /** Checks that become annotations of the objects. */
    readonly probes: readonly ComponentProbe[]
    readonly inline_manifest?: string
    /** Inputs that the file may name which `inline_manifest` is the path of; masked wherever the plan is shown. */
    readonly manifest_inputs?: Readonly<Record<string, InputValue>>
    readonly kustomize_path?: string
    readonly kustomize_config?: {
      readonly patches: readonly string[]
      readonly enable_helm: boolean
      readonly load_restrictor: 'rootOnly' | 'none'
      /** Hosts from which remote bases, files and charts may be fetched. */
      readonly allow_remote?: readonly string[]
      readonly allow_unpinned?: boolean
    }
    readonly program?: {
      readonly path: string
      /** With the inputs filled in; masked wherever the plan is shown. */
      readonly values: Readonly<Record<string, unknown>>
      readonly namespace: string
    }
    readonly oci_artifact_source?: {
      readonly url: string
      readonly tag?: string
      readonly digest?: string
      readonly credentials_ref?: string
    }
  }
}

/** A copy from one registry to another. */
export interface SyncPlan extends Pick<BuildDemands, 'trust' | 'registry_access'> {
  readonly src_registry: string
  /** A tag or a digest. */
  readonly src_tag: string
  readonly dst_registry: string
  readonly dst_tag: string
}

/** What a build gives. */
export interface BuildOutputs {
  /** `oci://host/repository@sha256:…` */
  readonly artifact: string
  readonly digest: string
  readonly tag: string
  /** Whether the build signed it; a mirrored artifact may have brought signatures of others. */
  readonly signed: boolean
  readonly encrypted: boolean
  readonly metadata: {
    readonly version?: string
    readonly checksum?: string
    readonly created?: string
    readonly source_url?: string
    readonly source_revision?: string
    /** What was fetched from other hosts. */
    readonly remotes?: PackOrigin['remotes']
  }
  /** Every object, as `namespace_name_group_kind`. */
  readonly objects: readonly string[]
}

/** What a copy leaves. */
export interface SyncOutputs {
  /** `oci://host/repository@sha256:…` */
  readonly artifact: string
  readonly digest: string
}

/** Plans the build of a component whose inputs are resolved. The same component and target give the same plan. */
export function planBuild(
  component: Component,
  target: RepositoryTag,
  demands: BuildDemands = {},
  remote?: RemoteOptions,
): BuildPlan {
  const plan = {
    component_id: component.name,
    folder: component.folder,
    dst_registry: target.registry,
    dst_tag: target.tag,
    ...gitOf(component.source),
    kubernetes_manifest_build_plan: {
      labels: { 'lading.dev/component': component.name },
      source_type: component.source.type,
      probes: component.health.probes,
      ...sourceOf(component, remote),
    },
  }
  const id = createHash('sha256').update(stringifyJson(plan)).digest('hex').slice(0, 16)
  return { ...plan, ...demands, component_build_id: `${component.name}-${id}` }
}

function gitOf(source: ComponentSource): Pick<BuildPlan, 'git_source'> {
  if (!('git' in source) || source.git === undefined) return {}
  const { url, ref, commit, directory, submodules } = source.git
  return {
    git_source: {
      url,
      ...defined({ ref, commit }),
      path: directory,
      recurse_submodules: submodules,
    },
  }
}

function sourceOf(
  { source, namespace }: Component,
  remote: RemoteOptions | undefined,
): Partial<BuildPlan['kubernetes_manifest_build_plan']> {
  switch (source.type) {
    case 'inline':
      return {
        inline_manifest: source.manifest,
        ...(source.inputs === undefined ? {} : { manifest_inputs: source.inputs }),
      }
    case 'kustomize': {
      const { path, patches, enableHelm, loadRestrictor } = source
      return {
        kustomize_path: path,
        kustomize_config: {
          patches,
          enable_helm: enableHelm,
          load_restrictor: loadRestrictor,
          ...(remote === undefined ? {} : { allow_remote: remote.hosts }),
          ...(remote?.allowUnpinned === true ? { allow_unpinned: true } : {}),
        },
      }
    }
    case 'program':
      return { program: { path: source.path, values: source.values, namespace } }
    case 'oci_artifact': {
      const { url, tag, digest, credentialsRef } = source
      const named = { ...(tag === undefined ? {} : { tag }), ...(digest === undefined ? {} : { digest }) }
      const known = credentialsRef === undefined ? {} : { credentials_ref: credentialsRef }
      return { oci_artifact_source: { url, ...named, ...known } }
    }
  }
}
