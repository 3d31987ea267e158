import { z } from 'zod'
import type { DeploymentLogLine } from '../../deployment/index.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { adapterOf } from './deployment-routes.ts'
import { idParams, readQuery } from './deployment-schemas.ts'

const logQuery = readQuery.extend({
  follow: z.enum(['true', 'false']).optional().describe('Go on with new lines until the client leaves.'),
  tailLines: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number of at most six digits')
    .transform(Number)
    .optional()
    .describe('How many of the last lines of each container.'),
  container: z.string().optional(),
})

/** Logs of the pods that a deployment owns. */
export const logRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/o2ims/v1/deployments/{id}/logs',
    id: 'getDeploymentLogs',
    tag: 'deployments',
    summary: 'Read the logs of the pods of a deployment',
    access: 'read',
    params: idParams,
    query: logQuery,
    answers: {
      200: {
        description: 'JSON lines with pod, container and line.',
        contentType: 'application/jsonl',
        schema: z.string(),
      },
    },
    async handle(call) {
      const { follow, tailLines, container } = call.query
      const options = { follow: follow === 'true', tailLines, container }
      const lines = adapterOf(call).logs(call.params.id, options, call.ctx)[Symbol.asyncIterator]()
      // The first line is read before the answer begins, so that a deployment that is not there is a problem, not an empty log.
      const first = await lines.next()
      return { status: 200, headers: { 'content-type': 'application/jsonl' }, stream: textOf(first, lines) }
    },
  }),
]

async function* textOf(
  first: IteratorResult<DeploymentLogLine>,
  rest: AsyncIterator<DeploymentLogLine>,
): AsyncGenerator<string> {
  try {
    for (let step = first; step.done !== true; step = await rest.next()) yield `${JSON.stringify(step.value)}\n`
  } finally {
    await rest.return?.()
  }
}
