import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One numbered `.sql` file, and what its first lines say of it. */
export type Migration = {
  name: string
  /** The four digits that its name starts with. */
  number: string
  statements: string[]
  /** `-- needs: 0028`: versions whose newest migration is older than that one cannot serve once this has run. */
  needs: string | null
  /** False with `-- no transaction`: each statement by itself, and all of them again after a kill. */
  isWhole: boolean
}

/** The migrations of a folder, in their order. */
export const migrationsIn = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readMigration(name, readFileSync(join(folder, name), 'utf8')))

/** The number of the newest: what the version that has them can serve with. */
export const newestOf = (migrations: Migration[]): string => migrations.at(-1)?.number ?? ''

export function readMigration(name: string, text: string): Migration {
  return {
    name,
    number: name.slice(0, 4),
    statements: statementsOf(text),
    needs: /^-- needs: (\d{4})$/m.exec(text)?.[1] ?? null,
    isWhole: !/^-- no transaction$/m.test(text),
  }
}

/** The extended protocol takes one statement at a time; our files end each with `;` at a line's end. */
function statementsOf(text: string): string[] {
  return text
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)
}
