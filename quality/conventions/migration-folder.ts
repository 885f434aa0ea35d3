import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

/**
 * Creates a folder of migrations from their file names and SQL. If `behind` is given, that folder's migrations are copied in as well. The
 * folder is removed once the file's tests are done.
 */
export function createMigrationFolder(
  texts: Readonly<Record<string, string>>,
  { behind }: { behind?: string } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-migrations-'))
  made.push(folder)
  for (const name of behind ? readdirSync(behind) : [])
    writeFileSync(join(folder, name), readFileSync(join(behind ?? '', name)))
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text)
  return folder
}

export function removeMigrationFolders(): void {
  afterAll(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })))
}
