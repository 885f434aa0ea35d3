import {
  findContractionFaults,
  type Fault,
  mentionsColumn,
  isSmallOrNewTable,
  type MigrationContext,
  findReferenceFaults,
} from './migration-rules.ts'
import { splitClauses, extractLiterals } from './sql-parts.ts'

export function findClauseFaults(looked: MigrationContext, table: string, text: string): Fault[] {
  return splitClauses(text).flatMap((clause) => {
    const judge = clauseRules.find(({ of }) => of.test(clause))
    const match = judge?.of.exec(clause)
    const faults = judge && match ? judge.faults(looked, table, match) : ['it is not known to be safe']
    return faults.map((why) => ({ about: `alter table ${table} ${clause}`, why }))
  })
}

type Judge = { of: RegExp; faults(looked: MigrationContext, table: string, match: RegExpExecArray): string[] }

const clauseRules: Judge[] = [
  { of: /^add (?:constraint (\w+) )?check ?(\(.*)$/, faults: findAddCheckFaults },
  { of: /^add (?:constraint \w+ )?foreign key ?(\([^)]*\)) (.*)$/, faults: findAddReferenceFaults },
  { of: /^add (?:constraint \w+ )?(?:unique|primary key)/, faults: findAddKeyFaults },
  { of: /^add (?:column )?(?:if not exists )?(\w+) (.*)$/, faults: findAddColumnFaults },
  { of: /^drop constraint (?:if exists )?(\w+)/, faults: findDropConstraintFaults },
  { of: /^alter (?:column )?(\w+) set not null$/, faults: findSetNotNullFaults },
  { of: /^alter (?:column )?\w+ drop not null$/, faults: () => ['older versions may not be ready to read a null'] },
  { of: /^alter (?:column )?\w+ set default /, faults: () => [] },
  { of: /^alter (?:column )?\w+ (?:set data )?type /, faults: () => ['it writes the table anew: add a column'] },
  {
    of: /^(?:drop (?:column )?\w+|rename |alter (?:column )?\w+ drop default)/,
    faults: (looked) => findContractionFaults(looked),
  },
  { of: /^validate constraint /, faults: () => ['it looks through the table: in a file with `-- no transaction`'] },
]

// Defaults that PostgreSQL stores only once. Any other default is computed for each row, which rewrites the whole table.
const constantDefaultPattern =
  /\bdefault (?:'(?:[^']|'')*'(?:::\w+)?|-?[\d.]+|true|false|null|now\(\)|current_timestamp)(?= |$)/

function findAddColumnFaults(
  looked: MigrationContext,
  table: string,
  [, column = '', rest = '']: RegExpExecArray,
): string[] {
  looked.added.add(`${table}.${column}`)
  looked.addedHere.add(`${table}.${column}`)
  const faults = findReferenceFaults(looked, rest)
  if (/\bnot null\b/.test(rest) && !/\bdefault\b/.test(rest))
    faults.push('older versions leave it out: give it a default')
  if (isSmallOrNewTable(looked, table)) return faults
  if (
    /\bgenerated\b|\b(?:small|big)?serial\b/.test(rest) ||
    (/\bdefault\b/.test(rest) && !constantDefaultPattern.test(rest))
  )
    faults.push('it writes the table anew: without a default, and filled later')
  if (/\bunique\b|\bprimary key\b/.test(rest)) faults.push('writers wait for its index: build that concurrently')
  if (/\bcheck ?\(/.test(rest))
    faults.push('it looks through the table under its lock: a constraint of its own, not valid')
  return faults
}

function findAddCheckFaults(
  looked: MigrationContext,
  table: string,
  [clause, name = '', rest = '']: RegExpExecArray,
): string[] {
  const faults = isSmallOrNewTable(looked, table) || rest.endsWith(' not valid') ? [] : [fullScanFault]
  const isReplaced = looked.statements.some((each) => each.includes(`drop constraint ${name}`))
  const isSafe = mentionsColumn(looked.addedHere, table, rest) || (isReplaced && isWiderCheck(looked, table, clause))
  return isSafe ? faults : [...faults, 'older versions may write what it refuses']
}

const fullScanFault =
  'it looks through the table under its lock: not valid, and validated in a file with `-- no transaction`'

function isWiderCheck({ earlier }: MigrationContext, table: string, clause: string): boolean {
  const checkListPattern = /check ?\(\(?(\w+) in ?(\([^)]*\))\)?\)/
  const [, column = '', list = ''] = checkListPattern.exec(clause) ?? []
  if (!column) return false
  const previousCheck = earlier
    .filter((statement) => new RegExp(`^(?:create|alter) table ${table} `).test(statement))
    .flatMap((statement) => [...statement.matchAll(new RegExp(checkListPattern, 'g'))])
    .findLast(([, each]) => each === column)
  const now = extractLiterals(list)
  return previousCheck !== undefined && extractLiterals(previousCheck[2] ?? '').every((word) => now.includes(word))
}

function findAddReferenceFaults(
  looked: MigrationContext,
  table: string,
  [, columns = '', rest = '']: RegExpExecArray,
): string[] {
  const faults = findReferenceFaults(looked, rest)
  if (!isSmallOrNewTable(looked, table) && !rest.endsWith(' not valid')) faults.push(fullScanFault)
  if (!mentionsColumn(looked.addedHere, table, columns)) faults.push('older versions may write what it refuses')
  return faults
}

function findAddKeyFaults(looked: MigrationContext, table: string, { input }: RegExpExecArray): string[] {
  const faults =
    isSmallOrNewTable(looked, table) || / using index /.test(input)
      ? []
      : ['writers wait for its index: build that concurrently']
  return mentionsColumn(looked.addedHere, table, input)
    ? faults
    : [...faults, 'older versions may write what it refuses']
}

/** Checks that a constraint may be dropped. Older versions of Fantail can do without a check constraint, but may rely on any other kind. */
function findDropConstraintFaults(looked: MigrationContext, _table: string, [, name = '']: RegExpExecArray): string[] {
  return name.endsWith('_check') || looked.statements.some((each) => each.includes(`add constraint ${name} `))
    ? []
    : findContractionFaults(looked)
}

function findSetNotNullFaults(looked: MigrationContext, table: string, [, column = '']: RegExpExecArray): string[] {
  const isKnown = looked.earlier.some(
    (each) => each.includes(`alter table ${table} `) && each.includes(`${column} is not null`),
  )
  const faults =
    isKnown || isSmallOrNewTable(looked, table)
      ? []
      : [`it looks through the table, unless a check (${column} is not null) is valid already`]
  return [...findContractionFaults(looked), ...faults]
}
