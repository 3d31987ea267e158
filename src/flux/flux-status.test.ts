import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../core/index.ts'
import { fluxState } from './flux-status.ts'

function object(conditions: Readonly<Record<string, string>>, more: Partial<Record<string, unknown>> = {}): KubeObject {
  const { metadata = {}, status = {}, spec = {}, observed = 1 } = more as Record<string, object> & { observed?: number }
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'nginx', generation: 1, ...metadata },
    spec,
    status: {
      observedGeneration: observed,
      ...status,
      conditions: Object.entries(conditions).map(([type, text]) => {
        const [state, reason = ''] = text.split(' ')
        return { type, status: state, reason, message: `${type} is ${state}`, observedGeneration: observed }
      }),
    },
  }
}

const requested = { annotations: { 'reconcile.fluxcd.io/requestedAt': 'now' } }

describe('the status of a Flux object', () => {
  it.each([
    ['Ready=True is deployed', object({ Ready: 'True' }), 'deployed'],
    ['Ready=False that progresses is deploying', object({ Ready: 'False Progressing' }), 'deploying'],
    ['Ready=False is failed', object({ Ready: 'False InstallFailed' }), 'failed'],
    ['Ready=Unknown is deploying', object({ Ready: 'Unknown Progressing' }), 'deploying'],
    ['no conditions are pending', object({}), 'pending'],
    [
      'an object that is being deleted is deleting',
      object({ Ready: 'True' }, { metadata: { deletionTimestamp: 'x' } }),
      'deleting',
    ],
    [
      'one that stalled is failed, even while it is ready for an older spec',
      object({ Ready: 'True', Stalled: 'True' }),
      'failed',
    ],
    ['one that waits for a dependency is pending', object({ Ready: 'False DependencyNotReady' }), 'pending'],
    [
      'one that fails and is tried again is failed',
      object({ Ready: 'False InstallFailed', Reconciling: 'True' }),
      'failed',
    ],
    [
      'a new generation that nobody has looked at is deploying',
      object({ Ready: 'True' }, { metadata: { generation: 2 } }),
      'deploying',
    ],
    [
      'the failure of an older generation says nothing of the new one',
      object({ Ready: 'False InstallFailed' }, { metadata: { generation: 2 } }),
      'deploying',
    ],
    [
      'a request to reconcile that was not handled is deploying',
      object({ Ready: 'True' }, { metadata: requested }),
      'deploying',
    ],
    [
      'a request that was handled is deployed',
      object({ Ready: 'True' }, { metadata: requested, status: { lastHandledReconcileAt: 'now' } }),
      'deployed',
    ],
    [
      'a rollback that is under way is rolling-back',
      object({ Ready: 'Unknown' }, { metadata: { annotations: { 'lading.dev/rolling-back-to': '1' } } }),
      'rolling-back',
    ],
  ])('%s', (_what, given, status) => {
    expect(fluxState(given).status).toBe(status)
  })

  it('keeps its state beside being suspended', () => {
    expect(fluxState(object({ Ready: 'True' }, { spec: { suspend: true } }))).toMatchObject({
      status: 'deployed',
      suspended: true,
      message: 'Ready is True',
    })
  })
})
