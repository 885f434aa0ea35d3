import { hash } from 'node:crypto'

/** Maximum number of prepared statements per connection. Each takes about 25 KB of the server's memory. */
const maxPreparedStatements = 400
const minUses = 3
const maxTrackedStatements = 5_000

/**
 * Names frequent statements, because the server parses and plans a named statement only once per connection. A statement that returns all
 * columns (`*`) gets no name: a newer version may add a column while this one is running, and the server would then reject the plan.
 */
export function createStatementNames() {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  const neverPreparedStatements = new Set<string>()

  return {
    of(statement: string): string | undefined {
      const known = names.get(statement)
      if (known !== undefined || names.size >= maxPreparedStatements || neverPreparedStatements.has(statement))
        return known
      const count = (uses.get(statement) ?? 0) + 1
      if (uses.size >= maxTrackedStatements) uses.clear()
      uses.set(statement, count)
      if (count < minUses) return undefined
      uses.delete(statement)
      if (returnsAllColumns(statement)) {
        this.refuse(statement)
        return undefined
      }
      const name = hash('sha256', statement, 'base64url')
      names.set(statement, name)
      return name
    },
    refuse(statement: string): void {
      names.delete(statement)
      if (neverPreparedStatements.size >= maxTrackedStatements) neverPreparedStatements.clear()
      neverPreparedStatements.add(statement)
    },
  }
}

export type StatementNames = ReturnType<typeof createStatementNames>

/** Whether a statement has a `*` outside parentheses. Inside parentheses, the server expands it without changing the result's columns. */
function returnsAllColumns(statement: string): boolean {
  let depth = 0
  for (const letter of statement) {
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === '*' && depth === 0) return true
  }
  return false
}
