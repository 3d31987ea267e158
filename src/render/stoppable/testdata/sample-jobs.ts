import { isMainThread } from 'node:worker_threads'
import { LadingError } from '../../../core/index.ts'
import { GoError } from '../../gotemplate/value.ts'
import type { Job } from '../run-stoppable.ts'

/** Gives what it was given. */
export const echoJob: Job<unknown, unknown> = {
  module: import.meta.url,
  name: 'echoJob',
  prepare: (input) => Promise.resolve(() => input),
}

/** Says which thread it ran in; here it never ends. */
export const slowHereJob: Job<undefined, string> = {
  module: import.meta.url,
  name: 'slowHereJob',
  prepare: () =>
    Promise.resolve(() => {
      if (isMainThread) for (;;);
      return 'done in a worker'
    }),
}

/** Counts in memory that threads share, and never ends. */
export const endlessJob: Job<Uint8Array, never> = {
  module: import.meta.url,
  name: 'endlessJob',
  prepare: (shared) =>
    Promise.resolve(() => {
      const counter = new Int32Array(shared.buffer)
      for (;;) {
        Atomics.add(counter, 0, 1)
        Atomics.notify(counter, 0)
      }
    }),
}

/** Fails as templates do, with causes. */
export const failingJob: Job<string, never> = {
  module: import.meta.url,
  name: 'failingJob',
  prepare: (message) =>
    Promise.resolve(() => {
      const cause = new LadingError('template.failed', 'inner', { line: 3, column: 7 }, { cause: new GoError('wrong') })
      throw new LadingError('chart.template', message, { file: 'a.yaml', big: 2n ** 60n }, { cause })
    }),
}


/** Calls itself as often as it is told. */
export const deepJob: Job<number, number> = {
  module: import.meta.url,
  name: 'deepJob',
  prepare: (depth) => {
    const descend = (left: number): number => (left === 0 ? 0 : 1 + descend(left - 1))
    return Promise.resolve(() => descend(depth))
  },
}
