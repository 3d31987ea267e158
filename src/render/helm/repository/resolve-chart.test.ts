import { expect, it } from 'vitest'
import { context } from '../../../core/index.ts'
import { loadChart } from '../chart/load-chart.ts'
import { packageChart } from '../package/package-chart.ts'
import { helmHome } from './helm-home.ts'
import { resolveChart } from './resolve-chart.ts'

const { archive } = packageChart(
  loadChart(new Map([['Chart.yaml', Buffer.from('apiVersion: v2\nname: shop\nversion: 1.0.0\n')]])),
)

it('an index of the internet cannot name a registry of a private network', async () => {
  await expect(pull('https://charts.example', 'oci://10.0.0.1/charts/shop')).rejects.toMatchObject({
    code: 'repo.unsafe',
  })
})

it.each([
  ['https://charts.example', 'oci://registry.example/charts/shop'],
  ['https://charts.lan', 'oci://10.0.0.1/charts/shop'],
])('an index of %s can name %s', async (repository, registry) => {
  expect((await pull(repository, registry)).chart.metadata.name).toBe('shop')
})

function pull(repository: string, registry: string) {
  const entry = { apiVersion: 'v2', name: 'shop', version: '1.0.0', urls: [`${registry}:1.0.0`] }
  const index = JSON.stringify({ apiVersion: 'v1', entries: { shop: [entry] } })
  return resolveChart(
    'shop',
    { repository: { url: repository } },
    {
      home: helmHome({ HOME: '/nowhere' }),
      fetch: () => Promise.resolve(Buffer.from(index)),
      registry: { pull: () => Promise.resolve({ archive }), tags: () => Promise.resolve([]) },
      isPrivate: (host) => Promise.resolve(host === '10.0.0.1' || host.endsWith('.lan')),
    },
    context(),
  )
}
