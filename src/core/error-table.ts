/** What one error code means to each consumer. */
export interface ErrorRow {
  /** HTTP status that the gateway answers with. */
  readonly status: number
  /** Exit code of the CLI. */
  readonly exit: number
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean
  /** What a person or an agent should do next. */
  readonly next: string
}

function row(status: number, exit: number, retryable: boolean, next: string): ErrorRow {
  return { status, exit, retryable, next }
}

/**
 * The one table of error codes. Exit codes: 1 internal, 2 usage, 3 input, 4 cluster refused, 5 cluster unreachable or too slow,
 * 6 conflict, 7 not healthy, 8 not found, 9 security, 10 done but not reported, 130 cancelled.
 */
export const errorTable = {
  internal: row(
    500,
    1,
    false,
    'This is a defect in Lading: run again with --log-level debug and report what it prints.',
  ),
  cancelled: row(499, 130, true, 'Run the command again; what was already applied is recognised as unchanged.'),
  timeout: row(504, 5, true, 'See what the message says was under way, or allow more time with --timeout.'),

  'usage.invalid': row(400, 2, false, 'Read the command’s --help and correct the arguments.'),
  'config.invalid': row(400, 3, false, 'Correct the named field in the named file.'),

  'file.not-found': row(404, 3, false, 'Check the path.'),
  'file.unreadable': row(400, 3, false, 'Check the permissions and that it is a regular file.'),
  'disk.full': row(
    507,
    3,
    true,
    'Make room on the disk and run the command again; an operation that could not be recorded is healed then, or by `lading recover`.',
  ),
  'output.lost': row(
    507,
    10,
    false,
    'Make room on the disk behind the output; `lading status` and `lading jobs` tell what was done.',
  ),
  'input.too-large': row(413, 3, false, 'Split the input, or raise the limit that the message names.'),
  'yaml.syntax': row(400, 3, false, 'Correct the YAML at the named line.'),
  'yaml.duplicate-key': row(400, 3, false, 'Remove one of the two keys.'),
  'yaml.limit': row(400, 3, false, 'Write the document without excessive aliases or nesting.'),
  'yaml.number': row(400, 3, false, 'Quote the number, or use one that a 64-bit reader can hold.'),
  'object.invalid': row(400, 3, false, 'Give every object an apiVersion, a kind and a metadata.name.'),
  'object.duplicate': row(400, 3, false, 'Keep one definition of the object.'),
  'patch.invalid': row(400, 3, false, 'Correct the part of the patch that the message names.'),
  'schema.invalid': row(400, 3, false, 'Correct the schema that the message names.'),
  'cel.invalid': row(400, 3, false, 'Correct the CEL expression.'),

  'kubeconfig.not-found': row(400, 3, false, 'Give --kubeconfig, set KUBECONFIG, or run `lading sandbox start`.'),
  'kubeconfig.invalid': row(400, 3, false, 'Correct the named field of the kubeconfig.'),
  'kubeconfig.exec-refused': row(403, 9, false, 'Only the operator’s own kubeconfig may run a credential program.'),
  'auth.failed': row(401, 4, false, 'Log in again; the credential program or token file gave no usable credential.'),

  'kube.unreachable': row(502, 5, true, 'Check that the API server runs and that the address is right.'),
  'kube.tls': row(502, 5, false, 'Check the certificate authority and the server name in the kubeconfig.'),
  'kube.timeout': row(504, 5, true, 'Try again, or allow more time with --timeout.'),
  'kube.throttled': row(429, 5, true, 'The API server is busy: try again later.'),
  'kube.server-error': row(502, 5, true, 'The API server failed: try again, then read its log.'),
  'kube.response-too-large': row(502, 5, false, 'Ask for fewer objects at a time.'),
  'kube.unauthorized': row(401, 4, false, 'The API server does not know this identity: log in again.'),
  'kube.forbidden': row(403, 4, false, 'Ask for the permission that the message names.'),
  'kube.not-found': row(404, 8, false, 'Check name, namespace and cluster.'),
  'kube.unknown-kind': row(404, 8, false, 'Install the CustomResourceDefinition, or correct apiVersion and kind.'),
  'kube.already-exists': row(409, 6, false, 'Choose another name, or adopt the object.'),
  'kube.conflict': row(409, 6, true, 'The object changed meanwhile: read it again and repeat.'),
  'kube.field-conflict': row(
    409,
    6,
    false,
    'Another manager owns these fields: drop them, or allow --force-conflicts.',
  ),
  'kube.invalid': row(422, 4, false, 'Correct the fields that the API server names.'),
  'kube.terminating': row(409, 6, true, 'Wait until the object is gone, or remove the finalizers that hold it.'),
  'kube.immutable': row(
    422,
    6,
    false,
    'The field cannot change: allow the object to be replaced with --replace, or keep the old value.',
  ),
  'kube.bad-request': row(400, 4, false, 'The API server rejects the request: correct what it names.'),
  'kube.expired': row(410, 5, true, 'The list is too old: start it again.'),
  'kube.unsupported': row(405, 4, false, 'The API server does not offer this operation for this kind.'),
  'kube.pod-not-running': row(409, 7, true, 'Wait until the pod runs, then try again.'),
  'kube.copy-failed': row(
    502,
    4,
    false,
    'Check the path, and that the container has a tar program and may write there.',
  ),
  'kube.namespace-terminating': row(409, 6, true, 'Wait until the namespace is gone, then try again.'),

  'apply.failed': row(422, 4, false, 'Correct the objects that are listed and run the command again.'),
  'wait.timeout': row(504, 7, true, 'Look at the objects that are listed as not ready, or allow more time.'),
  'wait.failed': row(502, 7, false, 'Look at the failing objects, their events and their logs.'),
  'health.url-refused': row(
    403,
    9,
    false,
    'A health check wants to ask an address that was not allowed: allow its host, or take the annotation away.',
  ),
  'delete.failed': row(
    422,
    4,
    false,
    'Correct what the listed objects are refused for; nothing of later stages was deleted.',
  ),
  'delete.not-owned': row(409, 6, false, 'The object belongs to somebody else: delete it there, or drop the guard.'),
  'delete.timeout': row(504, 7, true, 'Something holds the object: see the finalizers that are named.'),

  'release.not-found': row(404, 8, false, 'Check the name and the namespace with `lading list --all-namespaces`.'),
  'release.exists': row(409, 6, false, 'Choose another name, or use `lading upgrade --install`.'),
  'release.not-owned': row(
    409,
    6,
    false,
    'The object belongs to somebody else: allow --take-ownership, rename it, or remove it there.',
  ),
  'release.crd-in-use': row(
    409,
    6,
    false,
    'Delete the custom resources that are named, keep the CRD, or allow --delete-custom-resources.',
  ),
  'release.namespace-in-use': row(
    409,
    6,
    false,
    'Uninstall the releases that are named first, or annotate the namespace with helm.sh/resource-policy: keep.',
  ),
  'release.locked': row(
    409,
    6,
    true,
    'Wait until the other operation is done; a crashed one is taken over when its lock expires.',
  ),
  'release.lock-lost': row(
    409,
    6,
    false,
    'Another process may have taken the release over: look at `lading history`, then repeat what is still wanted.',
  ),
  'release.changed': row(
    409,
    6,
    true,
    'Somebody else changed the release meanwhile: look at its history and try again.',
  ),
  'release.unreadable': row(
    500,
    3,
    false,
    'Repair or remove the stored record that is named; Lading does not touch it.',
  ),
  'release.too-large': row(413, 3, false, 'Choose a storage that splits large records, or make the release smaller.'),
  'release.no-target': row(404, 8, false, 'Choose a revision that `lading history` lists as deployed or superseded.'),
  'release.wrong-cluster': row(
    409,
    6,
    false,
    'Use the kubeconfig context of the cluster that the release is on, or another --storage-path for this one.',
  ),
  'release.failed': row(
    502,
    7,
    false,
    'Look at what failed, correct it and run the command again; `lading rollback` goes back to an earlier good revision.',
  ),
  'deployment.not-found': row(404, 8, false, 'List the deployments, and check the id and the namespace.'),
  'deployment.exists': row(409, 6, false, 'Update the deployment, or choose another name.'),
  'deployment.ambiguous': row(409, 6, false, 'Use the full id of the deployment.'),
  'deployment.invalid': row(400, 3, false, 'Correct the named field of the request.'),
  'deployment.not-scalable': row(422, 3, false, 'Change the replicas where the workload declares them.'),
  'deployment.no-revision': row(404, 8, false, 'Choose a revision that the history lists.'),
  'package.not-found': row(404, 8, false, 'List the packages, and check the id.'),
  'package.exists': row(409, 6, false, 'Choose another name, or delete the package first.'),
  'package.in-use': row(409, 6, false, 'Delete the deployments that use the package first.'),

  'cluster.unknown': row(404, 8, false, 'Use one of the clusters that the gateway lists at /api/v1/clusters.'),
  'request.invalid': row(400, 3, false, 'Correct the named field; /openapi.json describes each request.'),
  'request.unauthorized': row(401, 4, false, 'Send a valid bearer token in the Authorization header.'),
  'request.forbidden': row(403, 4, false, 'Ask for the right, or use a namespace that you may use.'),
  'request.no-route': row(404, 8, false, 'Check the path; /openapi.json lists all of them.'),
  'request.method': row(405, 2, false, 'Use one of the methods that the Allow header lists.'),
  'request.media-type': row(415, 2, false, 'Send JSON with the content type application/json.'),
  'request.precondition': row(412, 6, false, 'Read it again, and send its new ETag in If-Match.'),
  'request.key-reused': row(422, 6, false, 'Use a new Idempotency-Key for another request.'),
  'request.throttled': row(429, 5, true, 'Wait as long as the Retry-After header says.'),
  'gateway.stopping': row(
    503,
    5,
    true,
    'Send the request again: another replica, or this one after its restart, answers.',
  ),
  'operation.not-found': row(404, 8, false, 'Check the id; operations that ended are kept for a limited time.'),

  'plan.stale': row(409, 6, false, 'Make a new plan: the cluster or the release moved since this one was made.'),
  'plan.mismatch': row(
    409,
    6,
    false,
    'Make a new plan. If neither the source nor the cluster changed, somebody altered the saved one.',
  ),
  'plan.expired': row(409, 6, false, 'Make a new plan; `--expires` says how long it can be applied.'),
  'plan.used': row(409, 6, false, 'Make a new plan: each is applied once.'),
  'plan.wrong-cluster': row(
    409,
    6,
    false,
    'Use the kubeconfig context of the cluster that the plan names, or make a new plan for this one.',
  ),
  'plan.invalid': row(400, 3, false, 'Make the plan again with `lading plan`.'),
  'hook.failed': row(502, 7, false, 'Look at the log of the hook, correct it and try again.'),
  'hook.invalid': row(400, 3, false, 'Correct the annotation that is named.'),
  'wave.cycle': row(400, 3, false, 'Remove one of the wait-for annotations of the cycle that is named.'),
  'source.unsupported': row(400, 3, false, 'Use one of the kinds of source that the message lists.'),
  'source.empty': row(400, 3, false, 'Give a source that holds objects; to remove a release, uninstall it.'),
  'values.invalid': row(400, 3, false, 'Correct the value that is named.'),
  'kustomize.invalid': row(400, 3, false, 'Correct the field of the kustomization that the message names.'),
  'chart.invalid': row(400, 3, false, 'Correct the file of the chart that the message names.'),
  'chart.refused': row(403, 9, false, 'Do not use this chart as it is: bring what it refers to into the chart.'),
  'chart.dependency': row(400, 3, false, 'Bring the dependencies that are named into charts/.'),
  'chart.template': row(400, 3, false, 'Correct the template at the named place, or the values that it was given.'),
  'chart.not-found': row(
    404,
    8,
    false,
    'Look for it with `lading search repo`, and refresh with `lading repo update`.',
  ),
  'chart.unverified': row(403, 9, false, 'Do not use the chart: its provenance does not prove it with this keyring.'),
  'chart.lint': row(422, 3, false, 'Correct what the messages above name.'),
  'repo.not-found': row(404, 8, false, 'Look at `lading repo list`, and add it with `lading repo add NAME URL`.'),
  'repo.exists': row(409, 6, false, 'Choose another name, or replace the repository with --force-update.'),
  'repo.invalid': row(422, 3, false, 'Correct the file that is named, or ask who keeps the repository.'),
  'repo.refused': row(403, 4, false, 'Check the address, and the user and password of `lading repo add`.'),
  'repo.unreachable': row(502, 5, true, 'Check the address and the network, then try again.'),
  'repo.unsafe': row(403, 9, false, 'The server sends clients where they must not go: ask who runs it.'),
  'pack.invalid': row(400, 3, false, 'Correct the file of the pack that the message names.'),
  'kustomize.refused': row(403, 9, false, 'Bring what is referred to into the tree, or allow it explicitly.'),

  'oci.reference-invalid': row(400, 3, false, 'Write the reference as oci://HOST[:PORT]/REPOSITORY[:TAG][@DIGEST].'),
  'oci.digest-invalid': row(400, 3, false, 'Give a digest as sha256: or sha512: and its hexadecimal digits.'),
  'oci.manifest-invalid': row(422, 3, false, 'Push the artifact again with a tool that follows the specification.'),
  'oci.layout-invalid': row(400, 3, false, 'Give a folder that holds an OCI image layout, or an empty one.'),
  'oci.digest-mismatch': row(
    502,
    9,
    false,
    'The content is not what its digest says: do not use it, ask who keeps it.',
  ),
  'oci.not-found': row(404, 8, false, 'Check the repository and the tag or digest with `lading artifacts`.'),
  'oci.unauthorized': row(401, 4, false, 'Log in with `lading login`, or check the credentials of the docker config.'),
  'oci.denied': row(403, 4, false, 'Ask for the right to this repository.'),
  'oci.incomplete': row(409, 4, false, 'Push the content that the manifest refers to before the manifest.'),
  'oci.refused': row(422, 4, false, 'The registry rejects the request: correct what it names.'),
  'oci.unsupported': row(405, 4, false, 'The registry does not offer this operation: allow it there, or do without.'),
  'oci.too-large': row(413, 3, false, 'Make the artifact smaller, or raise the limit that the message names.'),
  'oci.unreachable': row(
    502,
    5,
    true,
    'Check that the registry runs, that the address is right and whether it wants --plain-http.',
  ),
  'oci.tls': row(
    502,
    5,
    false,
    'Check the certificate authority of the registry, or use --plain-http where it has no TLS.',
  ),
  'oci.timeout': row(504, 5, true, 'Try again, or allow more time.'),
  'oci.throttled': row(429, 5, true, 'The registry limits the rate of requests: try again later.'),
  'oci.server-error': row(502, 5, true, 'The registry failed: try again, then read its log.'),
  'oci.unsafe': row(403, 9, false, 'The registry sends clients where they must not go: ask who runs it.'),
  'oci.credentials-invalid': row(400, 3, false, 'Correct the docker config file that is named, or log in again.'),
  'oci.credential-helper': row(
    401,
    4,
    false,
    'Install the credential helper that is named and log in with its own tool.',
  ),

  'job.not-found': row(404, 8, false, 'Check the id with `lading jobs list`.'),
  'job.lost': row(409, 6, true, 'Another runner has the job: look at it with `lading jobs`.'),
  'job.timed-out': row(504, 7, false, 'Allow the job more time, or look at its log for what it waited for.'),
  'job.not-attempted': row(409, 6, false, 'Correct the job that this one waits for, then start it again.'),
  'job.wrong-cluster': row(409, 6, false, 'Run the job with the kubeconfig of the cluster that it names.'),
  'job.unsupported': row(400, 3, false, 'Start a runner that knows this type of job.'),
  'job.unreadable': row(500, 3, false, 'Cancel or prune the job, and enqueue it again with this version of Lading.'),
  'job.store-failed': row(500, 3, false, 'Check that the file is a job store and that its folder can be written.'),
  'job.key-invalid': row(
    403,
    3,
    false,
    'Give the key file that the job store was made with, readable by its owner alone.',
  ),
  'build.failed': row(422, 3, false, 'Correct what the message names and build again.'),
  'git.failed': row(502, 5, true, 'Check the address, the branch and that git may read the repository.'),
  'approval.denied': row(403, 6, false, 'The plan was not approved: change it, or approve it.'),

  'archive.invalid': row(400, 3, false, 'The archive is damaged: make it again, or fetch it again.'),
  'archive.refused': row(403, 9, false, 'Make the archive of plain files with plain relative names.'),
  'artifact.invalid': row(422, 3, false, 'Push the artifact again in one of the formats that Lading reads.'),
  'artifact.checksum': row(422, 9, false, 'The content is not what was built: build and push it again.'),
  'artifact.encrypted': row(400, 3, false, 'Give an age identity that the artifact is encrypted for.'),
  'age.invalid': row(400, 3, false, 'Correct the age recipient, identity or file that the message names.'),
  'key.invalid': row(
    400,
    3,
    false,
    'Give a key in PEM form, as `cosign generate-key-pair` writes it, and its password.',
  ),
  'signature.missing': row(403, 9, false, 'Sign the artifact, or deploy one that is signed.'),
  'signature.invalid': row(403, 9, false, 'Do not deploy it: sign the artifact again with a key that is trusted here.'),

  'program.failed': row(400, 3, false, 'Correct the program at the line that the message names.'),
  'program.denied': row(
    403,
    9,
    false,
    'Give the program what it needs as values; if you trust it, --program-allow-net, --program-env and --program-read allow more, except in components.',
  ),
  'program.limit': row(400, 3, false, 'Let the program do less, or raise the limit: --program-timeout for its time.'),

  'template.syntax': row(400, 3, false, 'Correct the template at the line that the message names.'),
  'template.failed': row(400, 3, false, 'Correct the template, or the values it is given, at the place that is named.'),
  'template.limit': row(
    413,
    3,
    false,
    'Look for endless recursion or repetition in the templates, or raise the limit.',
  ),

  'sandbox.in-use': row(409, 6, true, 'Stop the other sandbox, or keep this one in a folder of its own.'),
  'sandbox.data-damaged': row(500, 3, false, 'Restore the folder from a copy, or start with an empty one.'),
} as const satisfies Record<string, ErrorRow>

/** The row of one code, typed loosely for consumers that only read it. */
export function errorRow(code: keyof typeof errorTable): ErrorRow {
  return errorTable[code]
}
