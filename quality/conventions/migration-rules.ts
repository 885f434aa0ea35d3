import type { Migration } from '#kit/server/migration-files.ts'

export type Rules = {
  /** The number of the first migration that has to follow the rules. Earlier ones have already run. */
  since: string
  /** Tables that stay small no matter how many customers there are, so a full scan takes almost no time. */
  small: readonly string[]
  deletedFrom: readonly string[]
  exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type MigrationContext = {
  file: Migration
  rules: Rules
  made: Set<string>
  /**
   * Columns, as `table.column`, added by migrations that have to follow the rules. Older versions leave these columns at their defaults.
   */
  added: Set<string>
  addedHere: Set<string>
  statements: readonly string[]
  earlier: readonly string[]
}

export type Fault = { about: string; why: string }

/**
 * Reports that a migration removes something older versions use, unless it states with `needs` that those versions are no longer running.
 */
export const findContractionFaults = ({ file }: MigrationContext): string[] =>
  file.needs ? [] : ['older versions use it: say which migration those have that do not, `-- needs: NNNN`']

export const isSmallOrNewTable = ({ rules, made }: MigrationContext, table: string): boolean =>
  made.has(table) || rules.small.includes(table)

export const mentionsColumn = (columns: ReadonlySet<string>, table: string, text: string): boolean =>
  text.split(/\W+/).some((word) => columns.has(`${table}.${word}`))

/**
 * Reports foreign keys to a table from which older versions delete rows, because those versions don't know about the foreign key. Tables
 * created by the same migration are exempt, because older versions don't use them.
 */
export const findReferenceFaults = ({ rules, made }: MigrationContext, text: string): string[] =>
  [...text.matchAll(/\breferences (\w+)(?: ?\([^)]*\))?((?: on (?:delete|update) (?:no )?\w+(?: null| default)?)*)/g)]
    .filter(
      ([, table = '', acts = '']) =>
        rules.deletedFrom.includes(table) && !made.has(table) && !/on delete (?:cascade|set)/.test(acts),
    )
    .map(([, table]) => `older versions delete rows of ${table}: on delete cascade, or set null`)
