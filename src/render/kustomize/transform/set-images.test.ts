import { expect, it } from 'vitest'
import { splitImage } from './set-images.ts'

it.each([
  ['nginx', 'nginx', '', ''],
  ['nginx:1.2', 'nginx', '1.2', ''],
  ['host:5000/a/b', 'host:5000/a/b', '', ''],
  ['host:5000/a/b:tag', 'host:5000/a/b', 'tag', ''],
  ['a@sha256:12', 'a', '', 'sha256:12'],
  ['a:t@sha256:12', 'a', 't', 'sha256:12'],
])('%s has its parts', (image, name, tag, digest) => {
  expect(splitImage(image)).toEqual({ name, tag, digest })
})
