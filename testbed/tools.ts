/** One upstream program, and how it is built from one of our Go modules. */
export interface Tool {
  /** Folder under `testbed/modules` whose go.mod names the program. */
  readonly module: string
  /** Go package of the program's `main`. */
  readonly package: string
  /** Go module whose version is the program's version. */
  readonly versionOf: string
  /** Linker variables that carry the version; without them clients see v0.0.0. */
  readonly versionVariables?: (version: string) => Readonly<Record<string, string>>
  /** Files that upstream generates before its builds and that the published module lacks. */
  readonly generatedFiles?: Readonly<Record<string, string>>
  /** Whether a KUBEBUILDER_ASSETS folder may hold it. */
  readonly kubebuilderAsset?: boolean
}

/** Every program that the testbed and the bench can run. */
export const tools = {
  etcd: {
    module: 'etcd',
    package: 'go.etcd.io/etcd/server/v3',
    versionOf: 'go.etcd.io/etcd/server/v3',
    kubebuilderAsset: true,
  },
  'kube-apiserver': { ...kubernetes('kube-apiserver'), kubebuilderAsset: true },
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  kwok: { module: 'kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', versionOf: 'sigs.k8s.io/kwok' },
  registry: {
    module: 'registry',
    package: 'github.com/distribution/distribution/v3/cmd/registry',
    versionOf: 'github.com/distribution/distribution/v3',
    versionVariables: (version) => ({ 'github.com/distribution/distribution/v3/version.version': version }),
  },
  'source-controller': fluxController('source-controller'),
  'kustomize-controller': fluxController('kustomize-controller'),
  'helm-controller': fluxController('helm-controller'),
  kustomize: {
    module: 'kustomize',
    package: 'sigs.k8s.io/kustomize/kustomize/v5',
    versionOf: 'sigs.k8s.io/kustomize/kustomize/v5',
    versionVariables: (version) => ({ 'sigs.k8s.io/kustomize/api/provenance.version': version }),
  },
  kapp: {
    module: 'kapp',
    package: 'carvel.dev/kapp/cmd/kapp',
    versionOf: 'carvel.dev/kapp',
    versionVariables: (version) => ({ 'carvel.dev/kapp/pkg/kapp/version.Version': version.slice(1) }),
  },
  oras: {
    module: 'oras',
    package: 'oras.land/oras/cmd/oras',
    versionOf: 'oras.land/oras',
    versionVariables: () => ({ 'oras.land/oras/internal/version.BuildMetadata': '' }),
  },
  cosign: {
    module: 'cosign',
    package: 'github.com/sigstore/cosign/v3/cmd/cosign',
    versionOf: 'github.com/sigstore/cosign/v3',
    versionVariables: (version) => ({ 'sigs.k8s.io/release-utils/version.gitVersion': version }),
  },
  helm3: {
    module: 'helm3',
    package: 'helm.sh/helm/v3/cmd/helm',
    versionOf: 'helm.sh/helm/v3',
    versionVariables: (version) => ({ 'helm.sh/helm/v3/internal/version.version': version }),
  },
  flux: {
    module: 'flux-cli',
    package: 'github.com/fluxcd/flux2/v2/cmd/flux',
    versionOf: 'github.com/fluxcd/flux2/v2',
    versionVariables: (version) => ({ 'main.VERSION': version.slice(1) }),
    // The manifests that `flux install` would apply: none, that command is not compared.
    generatedFiles: { 'cmd/flux/manifests/none.yaml': '' },
  },
} as const satisfies Record<string, Tool>

/** Name of a program in the table. */
export type ToolName = keyof typeof tools

function kubernetes(program: string): Tool {
  return {
    module: 'kubernetes',
    package: `k8s.io/kubernetes/cmd/${program}`,
    versionOf: 'k8s.io/kubernetes',
    versionVariables: (version) => {
      const [major = '', minor = ''] = version.slice(1).split('.')
      const variable = 'k8s.io/component-base/version.git'
      return { [`${variable}Version`]: version, [`${variable}Major`]: major, [`${variable}Minor`]: minor }
    },
  }
}

function fluxController(program: string): Tool {
  return { module: 'flux', package: `github.com/fluxcd/${program}`, versionOf: `github.com/fluxcd/${program}` }
}
