import { contraction, type Fault, isAbout, isFree, type Looked, referenceFaults } from './migration-rules.ts'
import { clausesOf, wordsIn } from './sql-parts.ts'

export function clauseFaults(looked: Looked, table: string, text: string): Fault[] {
  return clausesOf(text).flatMap((clause) => {
    const judge = judges.find(({ of }) => of.test(clause))
    const match = judge?.of.exec(clause)
    const faults = judge && match ? judge.faults(looked, table, match) : ['it is not known to be safe']
    return faults.map((why) => ({ about: `alter table ${table} ${clause}`, why }))
  })
}

type Judge = { of: RegExp; faults(looked: Looked, table: string, match: RegExpExecArray): string[] }

const judges: Judge[] = [
  { of: /^add (?:constraint (\w+) )?check ?(\(.*)$/, faults: addCheck },
  { of: /^add (?:constraint \w+ )?foreign key ?(\([^)]*\)) (.*)$/, faults: addReference },
  { of: /^add (?:constraint \w+ )?(?:unique|primary key)/, faults: addKey },
  { of: /^add (?:column )?(?:if not exists )?(\w+) (.*)$/, faults: addColumn },
  { of: /^drop constraint (?:if exists )?(\w+)/, faults: dropConstraint },
  { of: /^alter (?:column )?(\w+) set not null$/, faults: setNotNull },
  { of: /^alter (?:column )?\w+ drop not null$/, faults: () => ['older versions may not be ready to read a null'] },
  { of: /^alter (?:column )?\w+ set default /, faults: () => [] },
  { of: /^alter (?:column )?\w+ (?:set data )?type /, faults: () => ['it writes the table anew: add a column'] },
  {
    of: /^(?:drop (?:column )?\w+|rename |alter (?:column )?\w+ drop default)/,
    faults: (looked) => contraction(looked),
  },
  { of: /^validate constraint /, faults: () => ['it looks through the table: in a file with `-- no transaction`'] },
]

// Other defaults are computed for each row, which writes the table anew.
const constant = /\bdefault (?:'(?:[^']|'')*'(?:::\w+)?|-?[\d.]+|true|false|null|now\(\)|current_timestamp)(?= |$)/

function addColumn(looked: Looked, table: string, [, column = '', rest = '']: RegExpExecArray): string[] {
  looked.added.add(`${table}.${column}`)
  looked.addedHere.add(`${table}.${column}`)
  const faults = referenceFaults(looked, rest)
  if (/\bnot null\b/.test(rest) && !/\bdefault\b/.test(rest))
    faults.push('older versions leave it out: give it a default')
  if (isFree(looked, table)) return faults
  if (/\bgenerated\b|\b(?:small|big)?serial\b/.test(rest) || (/\bdefault\b/.test(rest) && !constant.test(rest)))
    faults.push('it writes the table anew: without a default, and filled later')
  if (/\bunique\b|\bprimary key\b/.test(rest)) faults.push('writers wait for its index: build that concurrently')
  if (/\bcheck ?\(/.test(rest))
    faults.push('it looks through the table under its lock: a constraint of its own, not valid')
  return faults
}

function addCheck(looked: Looked, table: string, [clause, name = '', rest = '']: RegExpExecArray): string[] {
  const faults = isFree(looked, table) || rest.endsWith(' not valid') ? [] : [lookThrough]
  const isReplaced = looked.statements.some((each) => each.includes(`drop constraint ${name}`))
  const isSafe = isAbout(looked.addedHere, table, rest) || (isReplaced && isWider(looked, table, clause))
  return isSafe ? faults : [...faults, 'older versions may write what it refuses']
}

const lookThrough =
  'it looks through the table under its lock: not valid, and validated in a file with `-- no transaction`'

function isWider({ earlier }: Looked, table: string, clause: string): boolean {
  const listOf = /check ?\(\(?(\w+) in ?(\([^)]*\))\)?\)/
  const [, column = '', list = ''] = listOf.exec(clause) ?? []
  if (!column) return false
  const before = earlier
    .filter((statement) => new RegExp(`^(?:create|alter) table ${table} `).test(statement))
    .flatMap((statement) => [...statement.matchAll(new RegExp(listOf, 'g'))])
    .findLast(([, each]) => each === column)
  const now = wordsIn(list)
  return before !== undefined && wordsIn(before[2] ?? '').every((word) => now.includes(word))
}

function addReference(looked: Looked, table: string, [, columns = '', rest = '']: RegExpExecArray): string[] {
  const faults = referenceFaults(looked, rest)
  if (!isFree(looked, table) && !rest.endsWith(' not valid')) faults.push(lookThrough)
  if (!isAbout(looked.addedHere, table, columns)) faults.push('older versions may write what it refuses')
  return faults
}

function addKey(looked: Looked, table: string, { input }: RegExpExecArray): string[] {
  const faults =
    isFree(looked, table) || / using index /.test(input) ? [] : ['writers wait for its index: build that concurrently']
  return isAbout(looked.addedHere, table, input) ? faults : [...faults, 'older versions may write what it refuses']
}

/** Older versions work as before without a check. They may rely on other constraints. */
function dropConstraint(looked: Looked, _table: string, [, name = '']: RegExpExecArray): string[] {
  return name.endsWith('_check') || looked.statements.some((each) => each.includes(`add constraint ${name} `))
    ? []
    : contraction(looked)
}

function setNotNull(looked: Looked, table: string, [, column = '']: RegExpExecArray): string[] {
  const isKnown = looked.earlier.some(
    (each) => each.includes(`alter table ${table} `) && each.includes(`${column} is not null`),
  )
  const faults =
    isKnown || isFree(looked, table)
      ? []
      : [`it looks through the table, unless a check (${column} is not null) is valid already`]
  return [...contraction(looked), ...faults]
}
