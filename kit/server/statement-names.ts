/** So many are kept ready on each connection: the server has about 25 KB of memory for each. */
const most = 250
/** What is asked now and then is not worth it. */
const worthwhile = 3
/** So many different ones are counted; lists of many lengths are many different ones. */
const mostCounted = 5_000

/**
 * Names for statements that are asked again and again: by its name the server has one read and planned once for a connection, and not at
 * each time. Answers none where it makes no sense: for several in one, for what is no statement with a plan, and for one that answers
 * all columns, `*`: another version may add some while this one runs, after which the server refuses the plan.
 */
export function createStatementNames(): (statement: string) => string | undefined {
  const names = new Map<string, string>()
  const asked = new Map<string, number>()
  return (statement) => {
    const known = names.get(statement)
    if (known !== undefined || names.size >= most) return known
    const times = (asked.get(statement) ?? 0) + 1
    if (asked.size >= mostCounted) asked.clear()
    asked.set(statement, times)
    if (times < worthwhile || !isPlannedForLong(statement)) return undefined
    asked.delete(statement)
    const name = `s${names.size + 1}`
    names.set(statement, name)
    return name
  }
}

const isPlannedForLong = (statement: string): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(statement) &&
  !statement.includes(';') &&
  !outsideOfBrackets(statement).includes('*')

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
