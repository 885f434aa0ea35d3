import type { Migration } from '#kit/server/migration-files.ts'

export type Rules = {
  /** The first number to which the rules apply. Earlier migrations have already run. */
  since: string
  /** Tables that stay small whatever is sold, so reading them through takes no time. */
  small: readonly string[]
  /** Tables that the product deletes rows of. */
  deletedFrom: readonly string[]
  /** Exceptions by file: the beginning of a statement or clause, and the reason. */
  exceptions: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A migration during the check, with what is known so far. */
export type Looked = {
  file: Migration
  rules: Rules
  /** Tables that the file has made so far, which nobody else uses yet. */
  made: Set<string>
  /** `table.column` that migrations have added since the rules hold: older versions leave it at its default. */
  added: Set<string>
  /** Those columns that this file adds. */
  addedHere: Set<string>
  /** All statements of the file, and those that ran before it, each on one line. */
  statements: readonly string[]
  earlier: readonly string[]
}

/** The fault, and the statement or clause that has it. */
export type Fault = { about: string; why: string }

/** A part that older versions use may go once none of them runs, which the file has to state. */
export const contraction = ({ file }: Looked): string[] =>
  file.needs ? [] : ['older versions use it: say which migration those have that do not, `-- needs: NNNN`']

/** Whether changing all rows of a table keeps nobody waiting. */
export const isFree = ({ rules, made }: Looked, table: string): boolean =>
  made.has(table) || rules.small.includes(table)

/** Whether a text mentions one of these columns. */
export const isAbout = (columns: ReadonlySet<string>, table: string, text: string): boolean =>
  text.split(/\W+/).some((word) => columns.has(`${table}.${word}`))

/** References to a table whose rows older versions delete without knowing of the reference. They do not know tables that are made here. */
export const referenceFaults = ({ rules, made }: Looked, text: string): string[] =>
  [...text.matchAll(/\breferences (\w+)(?: ?\([^)]*\))?((?: on (?:delete|update) (?:no )?\w+(?: null| default)?)*)/g)]
    .filter(
      ([, table = '', acts = '']) =>
        rules.deletedFrom.includes(table) && !made.has(table) && !/on delete (?:cascade|set)/.test(acts),
    )
    .map(([, table]) => `older versions delete rows of ${table}: on delete cascade, or set null`)
