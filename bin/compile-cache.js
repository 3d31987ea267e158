import { lstatSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/**
 * The folder in which Node keeps compiled code of this user: below the user's own cache folder, for the user alone. Undefined where
 * there is none that nobody else can write to; then Lading starts without a cache. Node's default is a folder of the shared
 * temporary one, whoever made it, and code that is found there runs.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {number | undefined} uid
 * @returns {string | undefined}
 */
export function compileCacheFolder(env, uid) {
  const root = cacheRoot(env)
  if (root === undefined || uid === undefined) return undefined
  const folder = join(root, 'lading', 'compile')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOwn(folder, uid) ? folder : undefined
  } catch {
    return undefined
  }
}

/** @param {Readonly<Record<string, string | undefined>>} env */
function cacheRoot({ XDG_CACHE_HOME: cache = '', HOME: home = '' }) {
  if (isAbsolute(cache)) return cache
  return isAbsolute(home) ? join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache') : undefined
}

// The folder itself is the user's and closed to others. Whoever could rename a folder above it could put another in its place:
// those belong to the user or to root, and others may not write to them, but for a sticky one such as /tmp.
/**
 * @param {string} folder
 * @param {number} uid
 */
function isOwn(folder, uid) {
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) return false
  for (let above = dirname(folder); ; above = dirname(above)) {
    const parent = lstatSync(above)
    const isOpen = (parent.mode & 0o022) !== 0 && (parent.mode & 0o1000) === 0
    if (!parent.isDirectory() || (parent.uid !== uid && parent.uid !== 0) || isOpen) return false
    if (above === dirname(above)) return true
  }
}
