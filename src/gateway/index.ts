/**
 * The HTTP gateway: deployments and releases of clusters behind one API.
 *
 * @module
 */
export { createGateway, type Gateway, type GatewayOptions } from './http/create-gateway.ts'
export type { CallerCluster, CallerClusters, GatewayCluster } from './http/caller-clusters.ts'
export { type Answer, type Call, defineRoute, type Reply, type Route, type RouteAccess } from './http/route.ts'
export type { Authenticator, Principal } from './auth/principal.ts'
export type { AccessReviews, ReviewedResource } from './auth/access-reviews.ts'
export { parseTokenFile, type StaticToken, staticTokens } from './auth/static-tokens.ts'
export { gatewayRoutes } from './gateway-routes.ts'
export { openApiDocument } from './openapi/document.ts'
