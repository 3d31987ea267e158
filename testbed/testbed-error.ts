/** Why the testbed could not be built, started or used. It is no part of the product, so it has no row in the error table. */
export class TestbedError extends Error {
  override readonly name = 'TestbedError'
}
