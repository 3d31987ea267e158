import type { IncomingMessage } from 'node:http'
import type { Store } from '../store.ts'
import type { Attributes } from './attributes.ts'
import type { Authenticator } from './authenticate.ts'
import { checkAllowed } from './check-allowed.ts'
import { impersonated } from './impersonate.ts'
import type { User } from './user.ts'

/** Says who makes a request, or refuses who may not. */
export type Authorize = (request: IncomingMessage, wanted: Attributes) => User

/** Authenticates, impersonates and authorizes, in that order, as the API server does. */
export function authorizeWith(authenticator: Authenticator, store: Store): Authorize {
  return (request, wanted) => {
    const user = impersonated(authenticator.authenticate(request), request, store)
    checkAllowed(store, user, wanted)
    return user
  }
}
