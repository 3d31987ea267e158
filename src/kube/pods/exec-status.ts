import { isRecord, LadingError } from '../../core/index.ts'
import { statusError } from '../transport/status-error.ts'
import type { KubeRequest } from '../transport/transport.ts'

/** The exit code in the Status that a command ended with; anything else is a failure of the cluster. */
export function exitCodeOf(status: unknown, request: KubeRequest): number {
  if (!isRecord(status)) throw new LadingError('kube.unreachable', 'the connection ended before the command did')
  if (status['status'] === 'Success') return 0
  const details = isRecord(status['details']) ? status['details'] : {}
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isRecord) : []
  const code = causes.find(({ reason }) => reason === 'ExitCode')?.['message']
  if (status['reason'] === 'NonZeroExitCode' && typeof code === 'string') return Number(code)
  throw statusError(Number(status['code'] ?? 500), { kind: 'Status', ...status }, request)
}
