import { adapterRoutes } from './deployments/adapter-routes.ts'
import { deploymentRoutes } from './deployments/deployment-routes.ts'
import { logRoutes } from './deployments/log-routes.ts'
import { nfDeploymentRoutes } from './deployments/nf-deployments.ts'
import { nfDescriptorRoutes } from './deployments/nf-descriptors.ts'
import { packageRoutes } from './deployments/package-routes.ts'
import type { Route } from './http/route.ts'

/** Every route that needs nothing but the clusters. */
export const gatewayRoutes: readonly Route[] = [
  ...deploymentRoutes,
  ...logRoutes,
  ...packageRoutes,
  ...nfDeploymentRoutes,
  ...nfDescriptorRoutes,
  ...adapterRoutes,
]
