/**
 * A typed client of the gateway's HTTP API, for Node and browsers.
 *
 * @module
 */
export {
  type ClientOptions,
  createClient,
  type GatewayClient,
  type OperationInput,
  type OperationName,
  type OperationOutput,
  type SendOptions,
} from './client.ts'
export { GatewayError } from './gateway-error.ts'
export type * from './generated.ts'
