import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'testbed/**/*.test.ts', 'bench/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A worker reads each module once for all its files instead of once for each, a third of all time. Nothing in src keeps state.
    isolate: false,
    // The default leaves one processor free, which on a machine with two is half of it.
    maxWorkers: '100%',
  },
})
