curl -X GET https://gateway.example.com/o2ims/v1/deployments \
  -H "Accept: application/json" \
  -H "Authorization: Bearer <token>"

curl -X POST https://gateway.example.com/o2ims/v1/deployments \
  -H "Content-Type: application/json" \
  -H "Authorization: Bearer <token>" \
  -d '{
    "name": "nginx",
    "namespace": "production",
    "values": {
      "replicaCount": 3
    },
    "extensions": {
      "flux.type": "helmrelease",
      "flux.chart": "nginx",
      "flux.sourceRef": "bitnami",
      "flux.chartVersion": "13.2.0"
    }
  }'

curl -X POST https://gateway.example.com/o2ims/v1/deployments \
  -H "Content-Type: application/json" \
  -H "Authorization: Bearer <token>" \
  -d '{
    "name": "infrastructure",
    "namespace": "production",
    "extensions": {
      "flux.type": "kustomization",
      "flux.path": "./infrastructure/production",
      "flux.sourceRef": "infra-repo"
    }
  }'
