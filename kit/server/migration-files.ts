import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Migration = {
  name: string
  number: string
  statements: string[]
  /**
   * The migration number in `-- needs: 0028`. Once this migration has run, versions whose newest migration is older than 0028 cannot serve.
   */
  needs: string | null
  /** False for a file with `-- no transaction`: each statement runs on its own, and all of them run again if the process is killed. */
  isWhole: boolean
}

export const readMigrations = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readMigration(name, readFileSync(join(folder, name), 'utf8')))

export const getLatestNumber = (migrations: Migration[]): string => migrations.at(-1)?.number ?? ''

export function readMigration(name: string, text: string): Migration {
  return {
    name,
    number: name.slice(0, 4),
    statements: splitStatements(text),
    needs: /^-- needs: (\d{4})$/m.exec(text)?.[1] ?? null,
    isWhole: !/^-- no transaction$/m.test(text),
  }
}

/**
 * Splits a migration into statements, because the extended protocol accepts only one at a time. In our files, each statement ends with `;`
 * at the end of a line.
 */
function splitStatements(text: string): string[] {
  return text
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)
}
