import { hash } from 'node:crypto'

/** Statements kept on each connection. The server needs about 25 KB of memory for each. */
const maxKept = 400
/** A statement is kept from this use on. Rare ones are not worth it. */
const worthwhile = 3
/** Statements whose uses are counted. A list of another length makes another statement. */
const maxCounted = 5_000

/**
 * Names for frequent statements: the server parses and plans a named statement once for each connection. A statement that returns all
 * columns, `*`, gets none, as a newer version may add one while this one runs, and the server would then refuse the plan.
 */
export function createStatementNames() {
  const names = new Map<string, string>()
  const uses = new Map<string, number>()
  const refused = new Set<string>()

  return {
    /** The statement's name, or undefined if it is not kept. */
    of(statement: string): string | undefined {
      const known = names.get(statement)
      if (known !== undefined || names.size >= maxKept || refused.has(statement)) return known
      const count = (uses.get(statement) ?? 0) + 1
      if (uses.size >= maxCounted) uses.clear()
      uses.set(statement, count)
      if (count < worthwhile) return undefined
      uses.delete(statement)
      if (returnsAllColumns(statement)) {
        this.refuse(statement)
        return undefined
      }
      const name = hash('sha256', statement, 'base64url')
      names.set(statement, name)
      return name
    },
    /** From now on the server plans the statement at each use. */
    refuse(statement: string): void {
      names.delete(statement)
      if (refused.size >= maxCounted) refused.clear()
      refused.add(statement)
    },
  }
}

export type StatementNames = ReturnType<typeof createStatementNames>

/** Whether a `*` stands outside of brackets. Inside them the server expands it without changing the result's columns. */
function returnsAllColumns(statement: string): boolean {
  let depth = 0
  for (const letter of statement) {
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === '*' && depth === 0) return true
  }
  return false
}
