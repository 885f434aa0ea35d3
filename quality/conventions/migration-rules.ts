import type { Migration } from '#kit/server/migration-files.ts'

export type Rules = {
  /** Number of the first migration to which the rules apply. Earlier migrations have already run. */
  since: string
  /** Tables that stay small however many customers there are, so a full scan takes almost no time. */
  small: readonly string[]
  deletedFrom: readonly string[]
  exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type MigrationContext = {
  file: Migration
  rules: Rules
  made: Set<string>
  /** Columns, as `table.column`, that migrations have added since the rules apply. Older versions leave these columns at their defaults. */
  added: Set<string>
  addedHere: Set<string>
  statements: readonly string[]
  earlier: readonly string[]
}

export type Fault = { about: string; why: string }

/** Reports the removal of something that older versions use, unless the migration states with `needs` that those versions no longer run. */
export const contractionFaults = ({ file }: MigrationContext): string[] =>
  file.needs ? [] : ['older versions use it: say which migration those have that do not, `-- needs: NNNN`']

export const isSmallOrNew = ({ rules, made }: MigrationContext, table: string): boolean =>
  made.has(table) || rules.small.includes(table)

export const mentionsColumn = (columns: ReadonlySet<string>, table: string, text: string): boolean =>
  text.split(/\W+/).some((word) => columns.has(`${table}.${word}`))

/**
 * Reports foreign keys to a table whose rows older versions delete, because those versions do not know the foreign key. Tables that the
 * same migration creates are exempt, because older versions do not use them.
 */
export const referenceFaults = ({ rules, made }: MigrationContext, text: string): string[] =>
  [...text.matchAll(/\breferences (\w+)(?: ?\([^)]*\))?((?: on (?:delete|update) (?:no )?\w+(?: null| default)?)*)/g)]
    .filter(
      ([, table = '', acts = '']) =>
        rules.deletedFrom.includes(table) && !made.has(table) && !/on delete (?:cascade|set)/.test(acts),
    )
    .map(([, table]) => `older versions delete rows of ${table}: on delete cascade, or set null`)
