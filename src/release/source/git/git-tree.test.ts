import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../../render/kustomize/index.ts'
import { type GitObject, objectId } from './git-object.ts'
import { gitTree } from './git-tree.ts'
import { commitOf } from './read-objects.ts'
import { makeRepository, treeEntry } from './testdata/make-pack.ts'

const commit = '1'.repeat(40)

function treeOf(files: Readonly<Record<string, string>>) {
  const { objects, commit: id } = makeRepository(files)
  const byId = byIdOf(objects)
  return gitTree(byId, commitOf(byId, id).tree, (path, at) => memoryTree({ 'in.yaml': `${path} ${at}` }))
}

const byIdOf = (objects: readonly GitObject[]) => new Map(objects.map((object) => [objectId(object), object]))

describe('the tree of a commit', () => {
  it('has the files and folders of the commit', () => {
    const tree = treeOf({ 'a.yaml': 'a', 'b/c.yaml': 'c' })
    expect(tree.resolve('/b/c.yaml')).toEqual({ path: '/b/c.yaml', kind: 'file' })
    expect(tree.resolve('/b')).toEqual({ path: '/b', kind: 'folder' })
    expect(tree.resolve('/b/gone')).toBeUndefined()
    expect(tree.resolve('/a.yaml/x')).toBeUndefined()
    expect(tree.list('/')).toEqual(['a.yaml', 'b'])
    expect(String(tree.read('/b/c.yaml'))).toBe('c')
  })

  it('follows links inside of the repository and refuses those that lead out, or in a circle', () => {
    const tree = treeOf({
      'a/x.yaml': 'x',
      'b/link.yaml': '-> ../a/x.yaml',
      folder: '-> a',
      out: '-> ../../etc/passwd',
      deep: '-> a/../../etc',
      absolute: '-> /etc/passwd',
      one: '-> two',
      two: '-> one',
    })
    expect(tree.resolve('/b/link.yaml')).toEqual({ path: '/a/x.yaml', kind: 'file' })
    expect(tree.resolve('/folder/x.yaml')).toEqual({ path: '/a/x.yaml', kind: 'file' })
    for (const path of ['/out', '/deep', '/absolute']) {
      expect(() => tree.resolve(path)).toThrow(expect.objectContaining({ code: 'kustomize.refused' }))
    }
    expect(() => tree.resolve('/one')).toThrow(/leads to itself/)
  })

  it('leads into the submodules that were fetched', () => {
    const tree = treeOf({ 'mod/ule': `@ ${commit}` })
    expect(tree.resolve('/mod/ule')).toEqual({ path: '/mod/ule', kind: 'folder' })
    expect(tree.list('/mod/ule')).toEqual(['in.yaml'])
    expect(tree.resolve('/mod/ule/in.yaml')).toEqual({ path: '/mod/ule/in.yaml', kind: 'file' })
    expect(String(tree.read('/mod/ule/in.yaml'))).toBe(`mod/ule ${commit}`)
  })

  it.each(['..', '.', '.git', '.GIT', 'a/b', 'a\\b', ''])('refuses a file with the name %j', (name) => {
    const file: GitObject = { type: 'blob', data: Buffer.from('x') }
    const root: GitObject = { type: 'tree', data: treeEntry('100644', name, objectId(file)) }
    const tree = gitTree(byIdOf([file, root]), objectId(root), () => memoryTree({}))
    expect(() => tree.list('/')).toThrow(expect.objectContaining({ code: 'git.failed' }))
  })

  it('refuses a name twice, a mode that git does not know, and an object that is missing or of another type', () => {
    const file: GitObject = { type: 'blob', data: Buffer.from('x') }
    const id = objectId(file)
    const open = (...entries: readonly Buffer[]) => {
      const root: GitObject = { type: 'tree', data: Buffer.concat(entries) }
      return gitTree(byIdOf([file, root]), objectId(root), () => memoryTree({}))
    }
    expect(() => open(treeEntry('100644', 'a', id), treeEntry('100644', 'a', id)).list('/')).toThrow(/twice/)
    expect(() => open(treeEntry('104755', 'a', id)).list('/')).toThrow(/file mode/)
    expect(() => open(treeEntry('100644', 'a', commit)).read('/a')).toThrow(/lacks the blob/)
    expect(() => open(treeEntry('40000', 'a', id)).resolve('/a/b')).toThrow(/is a blob, not a tree/)
    expect(() => open(treeEntry('100644', 'a', id).subarray(0, -1)).list('/')).toThrow(/cut off/)
  })
})
