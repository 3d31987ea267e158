import { defineConfig } from 'vitest/config'

/** Suites against the real programs; `e2e/setup.ts` starts one control plane for all of them. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/setup.ts'],
    // Ends what hangs. A machine that is busy with something else may be several times slower.
    testTimeout: 400_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 120_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
