import { beforeEach, describe, expect, it } from 'vitest'
import { context } from '../../core/index.ts'
import { createObject, getObject } from '../../kube/index.ts'
import { planUninstall } from '../plan/plan-uninstall.ts'
import { install } from '../run/operations.ts'
import { uninstall } from '../run/uninstall.ts'
import { config, namespaceObject } from '../testdata/release-objects.ts'
import { finish, type SandboxRelease, sandboxReleases } from '../testdata/sandbox-releases.ts'

const ctx = context()
let made = 0

describe.each(['secrets', 'helm'] as const)('with the %s store, a namespace that a release brought', (driver) => {
  const releases = sandboxReleases()
  let owner: SandboxRelease
  let other: SandboxRelease
  let name: string

  beforeEach(async () => {
    name = `brought-${driver}-${++made}`
    owner = await releases.make({ driver }, 'owner')
    other = await releases.make({ driver }, 'other')
    await owner.install([namespaceObject(name), config('mine', '1')])
  })

  it('is not deleted with the objects of another release, which the refusal and the plan name', async () => {
    await other.install([inside()])
    const refusal = {
      code: 'release.namespace-in-use',
      message: expect.stringContaining(`${other.namespace}/other`) as string,
    }
    await expect(owner.uninstall()).rejects.toMatchObject(refusal)
    await expect(owner.upgrade([config('mine', '2')])).rejects.toMatchObject(refusal)
    const { actions } = await finish(planUninstall(owner.engine, owner.release, {}, ctx))
    expect(actions).toContainEqual(expect.objectContaining({ action: 'conflict', code: 'release.namespace-in-use' }))
    expect((await owner.find('mine'))?.['data']).toEqual({ value: '1' })
    expect(await isThere()).toBe(true)
    await other.uninstall()
    await owner.uninstall()
    expect(await isThere()).toBe(false)
  })

  it('is not deleted with the records of a release that is at home in it', async () => {
    const release = { name: 'guest', namespace: name }
    await finish(install(owner.engine, { ...other.content(), release }, {}, ctx))
    await expect(owner.uninstall()).rejects.toMatchObject({ code: 'release.namespace-in-use' })
    await finish(uninstall(owner.engine, release, {}, ctx))
    await owner.uninstall()
    expect(await isThere()).toBe(false)
  })

  it('is deleted with what nobody has marked, such as the ConfigMap of a controller', async () => {
    await createObject(owner.cluster, inside(), {}, ctx)
    await owner.uninstall()
    expect(await isThere()).toBe(false)
  })

  it('stays where a policy keeps it, whoever is in it', async () => {
    await other.install([inside()])
    await owner.patch(name, { metadata: { annotations: { 'helm.sh/resource-policy': 'keep' } } }, 'Namespace')
    await owner.uninstall()
    expect(await isThere()).toBe(true)
  })

  function inside(): ReturnType<typeof config> {
    const object = config('theirs', '1')
    return { ...object, metadata: { ...object.metadata, namespace: name } }
  }

  async function isThere(): Promise<boolean> {
    return (await getObject(owner.cluster, { group: '', version: 'v1', kind: 'Namespace', name }, ctx)) !== undefined
  }
})
