import fc from '../testing/fast-check.ts'

/** What is written of an object. */
export type Config = Record<string, unknown>

/** Labels and annotations, which every object has. */
export function metadata(): fc.Arbitrary<Config> {
  return some({
    labels: fc.dictionary(fc.constantFrom('l1', 'l2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
    annotations: fc.dictionary(fc.constantFrom('n1', 'n2'), fc.constantFrom('a', 'b'), { maxKeys: 2 }),
  })
}

/** A record of which only the named keys are always there. */
export function some(
  model: Record<string, fc.Arbitrary<unknown>>,
  requiredKeys: readonly string[] = [],
): fc.Arbitrary<Config> {
  return fc.record(model, { requiredKeys: [...requiredKeys] })
}

/** A configuration that has a spec, and metadata at times. */
export function withSpec(spec: fc.Arbitrary<Config>): fc.Arbitrary<Config> {
  return some({ metadata: metadata(), spec }, ['spec'])
}

/** Up to two things of different names. */
export function named<Item extends { name: string }>(item: fc.Arbitrary<Item>, minLength = 0): fc.Arbitrary<Item[]> {
  return fc.uniqueArray(item, { selector: ({ name }) => name, minLength, maxLength: 2 })
}

/** Up to two of some words. */
export function words(...all: readonly string[]): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.constantFrom(...all), { maxLength: 2 })
}
