import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readGoModule } from './go-module.ts'
import { type Tool, tools } from './tools.ts'

it.each(Object.entries<Tool>(tools))('%s is named by a Go module of ours, at one version', async (_, tool) => {
  const module = await readGoModule(tool.module)
  expect(module.versionOf(tool.versionOf)).toMatch(/^v\d+\.\d+\.\d+$/)
  expect(await readFile(`${module.folder}/go.mod`, 'utf8')).toContain(tool.package)
})

it('gives Kubernetes programs the version that clients see', async () => {
  const tool: Tool = tools['kube-apiserver']
  expect(tool.versionVariables?.('v1.35.8')).toEqual({
    'k8s.io/component-base/version.gitVersion': 'v1.35.8',
    'k8s.io/component-base/version.gitMajor': '1',
    'k8s.io/component-base/version.gitMinor': '35',
  })
})
