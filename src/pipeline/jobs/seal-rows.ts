import type { DatabaseSync } from 'node:sqlite'
import type { JobCipher } from './job-cipher.ts'

/**
 * Encrypts what Lading kept in plain text up to version 3 of the store. Rows that are encrypted already stay, so that it can be done again
 * after an interruption. Pages that were freed and the journal still hold the plain text, so the file is written anew.
 */
export function sealRows(db: DatabaseSync, cipher: JobCipher): void {
  db.exec('begin immediate')
  for (const column of ['plan', 'outputs', 'error'] as const) {
    const update = db.prepare(`update jobs set ${column} = ? where id = ?`)
    for (const row of db.prepare(`select id, ${column} as text from jobs where typeof(${column}) = 'text'`).all()) {
      const id = String(row['id'])
      update.run(cipher.seal({ id, column }, String(row['text'])), id)
    }
  }
  const update = db.prepare('update logs set message = ? where seq = ?')
  for (const row of db.prepare(`select seq, job_id, message from logs where typeof(message) = 'text'`).all()) {
    const place = { id: String(row['job_id']), column: 'message' } as const
    update.run(cipher.seal(place, String(row['message'])), Number(row['seq']))
  }
  db.exec('commit')
  db.exec('vacuum')
  db.exec('pragma wal_checkpoint(truncate)')
}
