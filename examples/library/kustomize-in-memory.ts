// Builds a kustomization whose files are only in memory.
import { buildKustomization, memoryTree, renderYaml } from 'lading/kustomize'

const tree = memoryTree({
  'base/kustomization.yaml': 'resources: [config.yaml]\n',
  'base/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { level: info }\n',
  'production/kustomization.yaml': 'resources: [../base]\nnamePrefix: production-\nnamespace: shop\n',
})
console.log(renderYaml(buildKustomization(tree, '/production')))
