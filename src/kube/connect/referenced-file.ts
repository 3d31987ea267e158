import { resolve } from 'node:path'
import { isLadingError, LadingError, readGivenFile } from '../../core/index.ts'
import type { Fields } from './fields.ts'

/** The path that a kubeconfig's field names, relative to its file; refused where the kubeconfig is somebody else's. */
export function referencedPath(fields: Fields, name: string): string | undefined {
  const path = fields.text(name)
  if (path === undefined) return undefined
  if (fields.source.directory === undefined) {
    throw fields.invalid(name, 'names a file of this machine, which only the operator’s own kubeconfig may do')
  }
  return resolve(fields.source.directory, path)
}

/** Base64 data of a field, as the PEM text inside. */
export function pemData(fields: Fields, name: string): string | undefined {
  const data = fields.text(name)
  if (data === undefined) return undefined
  const text = Buffer.from(data, 'base64').toString('utf8')
  if (!text.includes('-----BEGIN ')) throw fields.invalid(name, 'must be PEM in base64')
  return text
}

/** Reads a file with a credential or a certificate. */
export async function readReferenced(path: string, what: string): Promise<string> {
  try {
    return (await readGivenFile(path, { maxBytes: 1024 * 1024 })).toString('utf8')
  } catch (cause) {
    if (isLadingError(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    const message = `cannot read the ${what} ${path}: ${code}`
    throw new LadingError(code === 'ENOENT' ? 'file.not-found' : 'file.unreadable', message, { file: path }, { cause })
  }
}
