import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isUuid } from '#kit/server/uuid.ts'

// Restoring a backup brings erased customers back, so the list of erased customers is kept outside the database and its backups.

/** Appends a customer to the list of erasures, and returns once the line is on disk. Readers skip lines that a crash truncated. */
export async function appendErasure(path: string, userId: string, at: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(`\n${JSON.stringify({ customer: userId, erased: at })}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
}

export async function readErasures(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(ignoreMissingFile)
  return [...new Set(text.split('\n').flatMap(parseCustomerId))]
}

function parseCustomerId(line: string): string[] {
  try {
    const { customer } = JSON.parse(line) as { customer?: unknown }
    return typeof customer === 'string' && isUuid(customer) ? [customer] : []
  } catch {
    return []
  }
}

function ignoreMissingFile(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
  throw error
}
