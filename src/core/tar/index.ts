export { readTar, type TarEntry } from './read-tar.ts'
export { type ArchiveFile, writeTar } from './write-tar.ts'
