import { describe, expect, it } from 'vitest'
import type { CallerAccess } from './caller-access.ts'
import { DeploymentIndex, type IndexEntry } from './deployment-index.ts'
import type { Deployment } from './deployment.ts'

describe('an index of deployments', () => {
  it('stays sorted by id whatever the order in which deployments come and go', async () => {
    const index = new DeploymentIndex()
    const names = ['m', 'c', 'z', 'a', 'q', 'b']
    for (const name of names) index.set(entry(name))
    index.delete('release:shop:q')
    index.delete('release:shop:nowhere')
    index.set(entry('c', 2))
    const page = await index.list({}, [], undefined)
    expect(page.items.map(({ name, version }) => `${name}${version}`)).toEqual(['a1', 'b1', 'c2', 'm1', 'z1'])
    expect(page.total).toBe(5)
  })

  it('describes only the deployments of the page when nothing is filtered', async () => {
    const index = new DeploymentIndex()
    let described = 0
    for (let at = 0; at < 1000; at++) {
      const made = entry(`web-${String(at).padStart(4, '0')}`)
      const describeOnce = (): Deployment => (described++, made.describe())
      index.set({ ...made, describe: describeOnce })
    }
    const page = await index.list({ limit: 10, offset: 900 }, [], undefined)
    expect(page.items.map(({ name }) => name)).toContain('web-0905')
    expect([page.total, described]).toEqual([1000, 10])
  })

  it('asks once for all namespaces, and only then for each', async () => {
    const index = new DeploymentIndex()
    for (const namespace of ['one', 'two', 'three']) index.set(entry('web', 1, namespace))
    const questions: string[] = []
    const access = (allowed: readonly string[]): CallerAccess => ({
      cluster: undefined as never,
      async may(verb, { resource }, namespace) {
        questions.push(`${verb} ${resource} ${namespace}`)
        return allowed.includes(namespace)
      },
    })
    expect((await index.list({}, [], access(['']))).total).toBe(3)
    expect(questions).toEqual(['list secrets '])
    expect((await index.list({}, [], access(['two']))).items.map(({ namespace }) => namespace)).toEqual(['two'])
    questions.length = 0
    expect((await index.list({ namespace: 'one' }, [], access(['two']))).total).toBe(0)
    expect(questions).toEqual(['list secrets ', 'list secrets one'])
  })

  it('shows nothing of a namespace that came while the rights were asked for', async () => {
    const index = new DeploymentIndex()
    index.set(entry('web', 1, 'mine'))
    const access: CallerAccess = {
      cluster: undefined as never,
      async may(_, __, namespace) {
        index.set(entry('web', 1, 'theirs'))
        return namespace === 'mine'
      },
    }
    expect((await index.list({}, [], access)).items.map(({ namespace }) => namespace)).toEqual(['mine'])
  })

  it('finds a bare name among what the caller may read', async () => {
    const index = new DeploymentIndex()
    for (const namespace of ['mine', 'theirs']) index.set(entry('web', 1, namespace))
    const access: CallerAccess = {
      cluster: undefined as never,
      may: async (verb, _, namespace, name) => verb === 'get' && namespace === 'mine' && name === 'record-web',
    }
    expect((await index.find('web', access)).id).toBe('release:mine:web')
    await expect(index.find('release:theirs:web', access)).rejects.toMatchObject({ code: 'deployment.not-found' })
    await expect(index.find('web', undefined)).rejects.toMatchObject({ code: 'deployment.ambiguous' })
  })
})

function entry(name: string, version = 1, namespace = 'shop'): IndexEntry {
  const id = `release:${namespace}:${name}`
  const deployment: Deployment = {
    id,
    name,
    packageId: '',
    namespace,
    status: 'deployed',
    suspended: false,
    version,
    description: '',
    labels: {},
    createdAt: '',
    updatedAt: '',
    etag: '1',
    extensions: {},
  }
  const scope = { group: '', resource: 'secrets', namespace }
  return { id, name, scope, objectName: `record-${name}`, describe: () => deployment }
}
