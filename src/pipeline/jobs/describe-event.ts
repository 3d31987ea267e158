import { formatRef, type LadingEvent } from '../../core/index.ts'
import type { JobLogLine } from './job.ts'

/** An event as a line of a job's log. */
export function describeEvent(event: LadingEvent): Pick<JobLogLine, 'level' | 'message'> {
  switch (event.type) {
    case 'stage-started':
      return info(
        `${event.stage}: ${event.objects} ${event.objects === 1 ? 'object' : 'objects'}${event.dryRun ? ' (dry run)' : ''}`,
      )
    case 'stage-finished':
      return info(`${event.stage}: done`)
    case 'object': {
      const message = `${formatRef(event.ref)} ${event.action}${event.dryRun ? ' (dry run)' : ''}${tail(event.reason)}`
      return event.action === 'failed' ? { level: 'error', message } : info(message)
    }
    case 'status':
      return info(`${formatRef(event.ref)} ${event.status}${tail(event.message)}`)
    case 'hook': {
      const log = event.status === 'failed' ? (event.log ?? []).map((line) => `\n${line}`).join('') : ''
      const message = `hook ${event.phase} ${formatRef(event.ref)} ${event.status}${tail(event.message)}${log}`
      return event.status === 'failed' ? { level: 'error', message } : info(message)
    }
    case 'warning':
      return { level: 'warn', message: event.message }
    default:
      return info('message' in event && typeof event.message === 'string' ? event.message : event.type)
  }
}

function info(message: string): Pick<JobLogLine, 'level' | 'message'> {
  return { level: 'info', message }
}

function tail(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `: ${text}`
}
