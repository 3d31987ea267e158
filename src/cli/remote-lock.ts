import { isLadingError, isRecord, LadingError, parseJson, readGivenFile, stringifyJson } from '../core/index.ts'
import type { RemoteRecord } from '../render/kustomize/index.ts'

/** Reads what an earlier build recorded; nothing where there is no such file. */
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
  throw new LadingError('config.invalid', `${file} is no record of what a build fetched`, { file })
}

/** Writes what a build fetched; the same content leaves the file as it is. */
export async function writeRemoteLock(file: string, remotes: readonly RemoteRecord[]): Promise<void> {
  const { writeAtomically } = await import('../render/helm/index.ts')
  await writeAtomically(file, `${stringifyJson({ remotes }, 2)}\n`)
}

function isRemoteRecord(value: unknown): value is RemoteRecord {
  if (!isRecord(value) || typeof value['url'] !== 'string') return false
  const pin = value['type'] === 'git' ? value['commit'] : value['digest']
  return ['git', 'file', 'chart'].includes(String(value['type'])) && typeof pin === 'string'
}
