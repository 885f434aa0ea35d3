/** So many are kept ready on each connection: the server has about 25 KB of memory for each. */
const most = 400
/** What is asked now and then is not worth it. */
const worthwhile = 3
/** So many different ones are counted; lists of many lengths are many different ones. */
const mostCounted = 5_000

/** Under which name the server keeps a statement, and as what it is sent to be kept. */
export type Kept = { name: string; text: string }

/**
 * Names for statements that are asked again and again: by its name the server has one read and planned once for a connection, and not at
 * each time. None where it makes no sense: for several in one, and for what is no statement with a plan. One that answers all
 * columns, `*`, is kept as one that answers those that there were: another version may add some while this one runs, after which
 * the server would refuse the plan.
 */
export function createStatementNames() {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, number>()
  const columnsOf = new Map<string, string[]>()
  const refused = new Set<string>()
  /** A name is never given again: a connection may have the statement that had it. */
  let named = 0

  return {
    /** How a statement is kept; undefined for one that is not. */
    of(statement: string): Kept | undefined {
      const known = kept.get(statement)
      if (known !== undefined || kept.size >= most || refused.has(statement)) return known
      const times = (asked.get(statement) ?? 0) + 1
      if (asked.size >= mostCounted) {
        asked.clear()
        columnsOf.clear()
      }
      if (refused.size >= mostCounted) refused.clear()
      asked.set(statement, times)
      if (times < worthwhile) return undefined
      const columns = columnsOf.get(statement)
      const text = isPlannedForLong(statement) ? withColumns(statement, columns) : null
      // What it answers may not have been seen yet; all else will never be kept, and is not looked at again.
      if (text === null && columns === undefined && isOfAllColumns(statement)) return undefined
      asked.delete(statement)
      columnsOf.delete(statement)
      if (text === null) {
        refused.add(statement)
        return undefined
      }
      const name = `s${++named}`
      kept.set(statement, { name, text })
      return { name, text }
    },
    /** Told of the columns that a statement without a name has answered with. */
    answered(statement: string, columns: () => string[]): void {
      if (asked.has(statement) && !columnsOf.has(statement) && isOfAllColumns(statement))
        columnsOf.set(statement, columns())
    },
    /** A column that it names is there no more: it is asked as it was written from now on. */
    refuse(statement: string): void {
      if (kept.get(statement)?.text === statement) return
      kept.delete(statement)
      refused.add(statement)
    },
  }
}

export type StatementNames = ReturnType<typeof createStatementNames>

const isPlannedForLong = (statement: string): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(statement) && !statement.includes(';')

const isOfAllColumns = (statement: string): boolean => outsideOfBrackets(statement).includes('*')

/** With its columns by name where it answers all of one table's; null where that can't be said. */
function withColumns(statement: string, columns: string[] = []): string | null {
  const outside = outsideOfBrackets(statement)
  if (!outside.includes('*')) return statement
  const isOfOneTable =
    /^select \* from "\w+" (?!as\b|.*\bjoin\b)[^*]*$/.test(outside) ||
    /^(?:insert|delete|update "\w+" set (?!.*\bfrom\b))[^*]* returning \*$/.test(outside)
  if (!isOfOneTable || columns.length === 0) return null
  const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
  return statement.startsWith('select')
    ? statement.replace('select *', () => `select ${names}`)
    : statement.replace(/\*$/, () => names)
}

/** What is in brackets is read anew when a table changes, and is not what is answered. */
function outsideOfBrackets(statement: string): string {
  let [depth, outside] = [0, '']
  for (const letter of statement) {
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (depth === 0) outside += letter
  }
  return outside
}
