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
export { adapterRoutes } from './deployments/adapter-routes.ts'
export { deploymentRoutes } from './deployments/deployment-routes.ts'
export { logRoutes } from './deployments/log-routes.ts'
export { nfDeploymentRoutes } from './deployments/nf-deployments.ts'
export { nfDescriptorRoutes } from './deployments/nf-descriptors.ts'
export { packageRoutes } from './deployments/package-routes.ts'
export { openApiDocument } from './openapi/document.ts'
