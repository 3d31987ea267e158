import { isLadingError, isRecord, LadingError, parseJson, readGivenFile, stringifyJson } from '../../../core/index.ts'
import { writeAtomically } from '../../../render/helm/index.ts'
import type { RemoteRecord } from '../../../render/kustomize/index.ts'

/** Reads what an earlier build recorded; gives nothing if there is no such file. */
export async function readRemoteLock(file: string): Promise<RemoteRecord[]> {
  let text: string
  try {
    text = (await readGivenFile(file)).toString('utf8')
  } catch (error) {
    if (isLadingError(error)) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new LadingError('file.unreadable', `${file} cannot be read`, { file }, { cause: error })
  }
  const value = parseJson(text)
  if (isRecord(value) && Array.isArray(value['remotes']) && value['remotes'].every(isRemoteRecord))
    return value['remotes']
  throw new LadingError('config.invalid', `${file} is not a record of what a build fetched`, { file })
}

/** Writes what a build fetched; the same content leaves the file as it is. */
export async function writeRemoteLock(file: string, remotes: readonly RemoteRecord[]): Promise<void> {
  await writeAtomically(file, `${stringifyJson({ remotes }, 2)}\n`)
}

// An entry without what identifies or pins it would never be compared with anything, and so let every content pass.
function isRemoteRecord(value: unknown): value is RemoteRecord {
  if (!isRecord(value) || !isText(value['url'])) return false
  const { type, ref, commit, digest, name, version } = value
  if (type === 'git') return typeof ref === 'string' && typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit)
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) return false
  return type === 'file' || (type === 'chart' && isText(name) && isText(version))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
