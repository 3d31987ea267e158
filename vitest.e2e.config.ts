import { defineConfig } from 'vitest/config'

/** Suites against the real programs; `e2e/setup.ts` starts one control plane for all of them. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    globalSetup: ['e2e/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
