import type { Migration } from '#kit/server/migration-files.ts'

export type Rules = {
  /** The first number to which the rules apply. Earlier migrations have already run. */
  since: string
  /** Tables that stay small whatever is sold, so reading them through takes no time. */
  small: readonly string[]
  deletedFrom: readonly string[]
  exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type MigrationContext = {
  file: Migration
  rules: Rules
  made: Set<string>
  /** `table.column` that migrations have added since the rules hold: older versions leave it at its default. */
  added: Set<string>
  addedHere: Set<string>
  statements: readonly string[]
  earlier: readonly string[]
}

export type Fault = { about: string; why: string }

/** A part that older versions use may go once none of them runs, which the file has to state. */
export const contractionFaults = ({ file }: MigrationContext): string[] =>
  file.needs ? [] : ['older versions use it: say which migration those have that do not, `-- needs: NNNN`']

export const isSmallOrNew = ({ rules, made }: MigrationContext, table: string): boolean =>
  made.has(table) || rules.small.includes(table)

export const mentionsColumn = (columns: ReadonlySet<string>, table: string, text: string): boolean =>
  text.split(/\W+/).some((word) => columns.has(`${table}.${word}`))

/** References to a table whose rows older versions delete without knowing of the reference. They do not know tables that are made here. */
export const referenceFaults = ({ rules, made }: MigrationContext, text: string): string[] =>
  [...text.matchAll(/\breferences (\w+)(?: ?\([^)]*\))?((?: on (?:delete|update) (?:no )?\w+(?: null| default)?)*)/g)]
    .filter(
      ([, table = '', acts = '']) =>
        rules.deletedFrom.includes(table) && !made.has(table) && !/on delete (?:cascade|set)/.test(acts),
    )
    .map(([, table]) => `older versions delete rows of ${table}: on delete cascade, or set null`)
