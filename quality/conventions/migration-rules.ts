import type { Migration } from '#kit/server/migration-files.ts'

export type Rules = {
  /** The number from which on they hold: what ran before is history. */
  since: string
  /** Tables that stay small, whatever is sold: to look through them takes no time. */
  small: readonly string[]
  /** Tables that the product deletes rows of. */
  deletedFrom: readonly string[]
  /** By file, how a statement or a clause that is excepted begins, and why. */
  exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A migration as it is looked at, with what is known by then. */
export type Looked = {
  file: Migration
  rules: Rules
  /** Tables that it has made so far: nobody knows them yet. */
  made: Set<string>
  /** `table.column` that migrations have added since the rules hold: older versions leave it at its default. */
  added: Set<string>
  /** Of those, the file's own. */
  addedHere: Set<string>
  /** All that the file does, and what ran before it, each on one line. */
  statements: readonly string[]
  earlier: readonly string[]
}

/** What is wrong, and with which statement or clause. */
export type Fault = { about: string; why: string }

/** What older versions use goes once none of them runs, which the file has to say. */
export const contraction = ({ file }: Looked): string[] =>
  file.needs ? [] : ['older versions use it: say which migration those have that do not, `-- needs: NNNN`']

/** Whether nobody waits for what is done to all rows of a table. */
export const isFree = ({ rules, made }: Looked, table: string): boolean =>
  made.has(table) || rules.small.includes(table)

/** Whether a text is about a column that these have. */
export const isAbout = (columns: ReadonlySet<string>, table: string, text: string): boolean =>
  text.split(/\W+/).some((word) => columns.has(`${table}.${word}`))

/** References to a table whose rows older versions delete, knowing nothing of the reference; what is made here they do not know. */
export const referenceFaults = ({ rules, made }: Looked, text: string): string[] =>
  [...text.matchAll(/\breferences (\w+)(?: ?\([^)]*\))?((?: on (?:delete|update) (?:no )?\w+(?: null| default)?)*)/g)]
    .filter(
      ([, table = '', acts = '']) =>
        rules.deletedFrom.includes(table) && !made.has(table) && !/on delete (?:cascade|set)/.test(acts),
    )
    .map(([, table]) => `older versions delete rows of ${table}: on delete cascade, or set null`)
