import { createHash } from 'node:crypto'
import { LadingError } from '../../core/index.ts'

const header = 'sherpack-manifest-version:'

/** Holds the files of a packed pack to the MANIFEST that Sherpack packs with them, and leaves it out; there may be none. */
export function checkManifest(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  const rest = new Map(files)
  const data = files.get('MANIFEST')
  const text = data === undefined ? '' : Buffer.from(data).toString('utf8')
  if (!text.startsWith(header)) return rest
  rest.delete('MANIFEST')
  const [, listed = '', total = ''] = /^\[files\]\n(.*?)^\[digest\]\n(.*)$/ms.exec(text.replaceAll('\r\n', '\n')) ?? []
  const rows = [...listed.matchAll(/^(.+) sha256:([0-9a-f]{64})$/gm)].map(([, path = '', sum = '']) => ({ path, sum }))
  for (const { path, sum } of rows) {
    const file = files.get(path)
    if (file === undefined) throw invalid(`${path} is missing in the archive`, path)
    if (digest(file) !== sum) throw invalid(`${path} is not what it was when the pack was packed`, path)
  }
  // Over the rows, so that none can be taken away.
  const sums = digest(rows.map(({ path, sum }) => `${path}:${sum}\n`).join(''))
  if (total.trim() !== `sha256:${sums}`) throw invalid('its digest is not that of its files', 'MANIFEST')
  return rest
}

function digest(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex')
}

function invalid(problem: string, file: string): LadingError {
  return new LadingError('archive.invalid', `MANIFEST of the pack: ${problem}`, { file })
}
