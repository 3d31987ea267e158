import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'scripts/**/*.test.ts',
      'testbed/**/*.test.ts',
      'bench/**/*.test.ts',
      'soak/**/*.test.ts',
    ],
    // Ends what hangs. A machine that is busy with something else may be several times slower.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // A worker reads each module once for all its files instead of once for each, a third of all time. Nothing in src keeps state.
    isolate: false,
    // The default leaves one processor free, which on a machine with two is half of it.
    maxWorkers: '100%',
  },
})
