import { type Migration, readMigration } from '#kit/server/migration-files.ts'
import { findClauseFaults } from './migration-clauses.ts'
import {
  findContractionFaults,
  type Fault,
  mentionsColumn,
  isSmallOrNewTable,
  type MigrationContext,
  findReferenceFaults,
  type Rules,
} from './migration-rules.ts'
import { plain } from './sql-parts.ts'

/**
 * Returns a sentence for each migration statement that is unsafe while a process of the previous version is still running. An empty list
 * means that every migration is safe.
 * @param texts each migration's SQL by file name
 */
export function findMigrationFaults(texts: Readonly<Record<string, string>>, rules: Rules): string[] {
  const files = Object.keys(texts)
    .sort()
    .map((name) => readMigration(name, texts[name] ?? ''))
  const earlierStatements: string[] = []
  const added = new Set<string>()
  return files.flatMap((file, at) => {
    const statements = file.statements.map(plain)
    const known = { made: new Set<string>(), added, addedHere: new Set<string>(), earlier: [...earlierStatements] }
    earlierStatements.push(...statements)
    if (file.number < rules.since) return []
    const context = { file, rules, statements, ...known }
    return [
      ...findHeaderFaults(file, files.slice(0, at)),
      ...applyExceptions(
        context,
        statements.flatMap((each) => findStatementFaults(context, each)),
      ),
    ]
  })
}

function findHeaderFaults({ name, number, needs }: Migration, before: Migration[]): string[] {
  const faults = before.some((file) => file.number === number) ? [`${name}: another migration has the same number`] : []
  const hasRequiredMigration = !needs || before.some((file) => file.number === needs && needs < number)
  return hasRequiredMigration ? faults : [...faults, `${name}: there is no migration ${needs} before it`]
}

function applyExceptions({ file: { name }, rules }: MigrationContext, faults: Fault[]): string[] {
  const exceptionNames = Object.keys(rules.exceptions[name] ?? {})
  const idle = exceptionNames.filter((start) => !faults.some(({ about }) => about.startsWith(start)))
  const left = faults.filter(({ about }) => !exceptionNames.some((start) => about.startsWith(start)))
  return [
    ...left.map(({ about, why }) => `${name}: ${about.length > 80 ? `${about.slice(0, 80)}…` : about}: ${why}`),
    ...idle.map((start) => `${name}: nothing that begins with "${start}" has to be excepted`),
  ]
}

function findStatementFaults(looked: MigrationContext, statement: string): Fault[] {
  const judge = statementRules.find(({ of }) => of.test(statement))
  const match = judge?.of.exec(statement)
  const faults = judge && match ? judge.faults(looked, match) : ['it is not known to be safe']
  return faults.map((fault) => (typeof fault === 'string' ? { about: statement, why: fault } : fault))
}

type Judge = { of: RegExp; faults(looked: MigrationContext, match: RegExpExecArray): (Fault | string)[] }

const statementRules: Judge[] = [
  { of: /^create table (?:if not exists )?(\w+)/, faults: findCreateTableFaults },
  { of: /^create (unique )?index (concurrently )?(if not exists )?\w+ on (\w+)/, faults: findCreateIndexFaults },
  { of: /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/, faults: findAlterTableFaults },
  { of: /^drop index (concurrently if exists )?/, faults: findDropIndexFaults },
  { of: /^drop (?:table|type|view|function|sequence|schema) /, faults: findContractionFaults },
  { of: /^alter (?:index|sequence|view|type) .* rename /, faults: findContractionFaults },
  { of: /^(?:update|delete from) (\w+)/, faults: findRowChangeFaults },
  { of: /^create function /, faults: () => [] },
  { of: /^create trigger \w+ (?:before|after) .*? on (\w+) /, faults: findCreateTriggerFaults },
  { of: /^insert into \w+/, faults: findInsertFaults },
  { of: /^(?:comment on|create (?:type|sequence|view)) /, faults: () => [] },
]

function findCreateTableFaults(looked: MigrationContext, { 1: table = '', input }: RegExpExecArray): string[] {
  looked.made.add(table)
  return findReferenceFaults(looked, input)
}

function findCreateIndexFaults(looked: MigrationContext, match: RegExpExecArray): string[] {
  const [, unique, concurrently, ifNotExists, table = ''] = match
  const { file, added, made } = looked
  const faults: string[] = []
  if (!file.isWhole && !(concurrently && ifNotExists))
    faults.push('it runs again after a kill: concurrently if not exists')
  if (file.isWhole && concurrently) faults.push('it runs in no transaction: the file must say `-- no transaction`')
  if (file.isWhole && !concurrently && !isSmallOrNewTable(looked, table))
    faults.push('writers wait while it is built: concurrently, in a file with `-- no transaction`')
  if (unique && !made.has(table) && !mentionsColumn(added, table, match.input))
    faults.push('older versions may write what it refuses')
  return faults
}

function findAlterTableFaults(
  looked: MigrationContext,
  [, table = '', rest = '']: RegExpExecArray,
): (Fault | string)[] {
  if (!looked.file.isWhole) return /^validate constraint \w+$/.test(rest) ? [] : ['it belongs in a transaction']
  return looked.made.has(table) ? findReferenceFaults(looked, rest) : findClauseFaults(looked, table, rest)
}

function findCreateTriggerFaults(looked: MigrationContext, [, table = '']: RegExpExecArray): string[] {
  return looked.made.has(table) ? [] : ['older versions may write what it refuses']
}

function findDropIndexFaults(looked: MigrationContext, [, concurrently]: RegExpExecArray): string[] {
  const faults = findContractionFaults(looked)
  return looked.file.isWhole || concurrently
    ? faults
    : [...faults, 'it runs again after a kill: concurrently if exists']
}

function findRowChangeFaults(looked: MigrationContext, { 1: table = '', input }: RegExpExecArray): string[] {
  if (!looked.file.isWhole)
    return / limit \d+/.test(input) ? [] : ['it locks all rows at once: so many at a time, by a limit']
  return isSmallOrNewTable(looked, table)
    ? []
    : ['its locks last: so many at a time, in a file with `-- no transaction`']
}

function findInsertFaults(looked: MigrationContext, { input }: RegExpExecArray): string[] {
  if (!looked.file.isWhole) return ['it would be done again after a kill']
  const hasLock = looked.statements.some((each) => {
    const [, table] = /^alter table (\w+)/.exec(each) ?? []
    return table && !isSmallOrNewTable(looked, table)
  })
  return hasLock && / from /.test(input) ? ['the file’s locks last as long: a file of its own'] : []
}
