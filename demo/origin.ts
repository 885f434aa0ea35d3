import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/** Updates the links in stored messages when the demo starts on a different port, so that links in older messages still work. */
export async function updateMessageLinks(db: Db, { dataDir, to }: { dataDir: string; to: string }): Promise<void> {
  const file = join(dataDir, 'origin')
  const from = read(file)
  if (from === to) return
  if (from !== null)
    await sql`
      update demo_messages set
        body_text = replace(body_text, ${from}, ${to}),
        body_html = replace(body_html, ${from}, ${to})
      where body_text like ${`%${from}%`}`.execute(db)
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, to)
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
