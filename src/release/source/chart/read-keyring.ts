import { isLadingError, LadingError, readGivenFile } from '../../../core/index.ts'
import { helmHome } from '../../../render/helm/index.ts'

/** Reads an OpenPGP keyring (default: gpg's own public keyring, where Helm looks for it). */
export async function readKeyring(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Uint8Array> {
  const path = file ?? helmHome(env).keyring
  try {
    return await readGivenFile(path)
  } catch (error) {
    if (isLadingError(error)) throw error
    const problem = `the keyring ${path} cannot be read: give --keyring`
    throw new LadingError('file.not-found', problem, { file: path }, { cause: error })
  }
}
