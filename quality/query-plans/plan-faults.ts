import type pg from 'pg'

export type FullTableRead = { table: string; how: string }

export type PlanFaults = {
  wholeReads: FullTableRead[]
  /**
   * Whether the statement changes rows that are locked by a subquery with a limit. PostgreSQL may run the subquery again for each row, and
   * would then lock more rows.
   */
  mayLockAgain: boolean
}

type Node = {
  'Node Type': string
  'Subplan Name'?: string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Node[]
}

/** Plan nodes that pass rows on one at a time. Below a limit, they request no more rows than the limit allows. */
const passThroughNodes = ['Limit', 'LockRows', 'Subquery Scan', 'Result', 'Nested Loop', 'ProjectSet']

/**
 * Checks a statement's plan. The connection must use generic plans and have `enable_seqscan` off, so that a plan reads a whole table only
 * if no index fits. A plan may read all of a partial index, or the first rows of an index below a limit.
 * @throws the server's error if the statement cannot be prepared
 */
export async function findPlanFaults(
  client: Pick<pg.Client, 'query'>,
  statement: string,
  isPartial: (index: string) => boolean,
): Promise<PlanFaults> {
  const count = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, nth]) => Number(nth)))
  const values = count > 0 ? `(${Array.from({ length: count }, () => 'null').join(', ')})` : ''
  await client.query(`prepare asked as ${statement}`)
  try {
    const { rows } = await client.query(`explain (format json) execute asked${values}`)
    const plan: Node = rows[0]['QUERY PLAN'][0].Plan
    return {
      wholeReads: findFullReads(plan, isPartial, false),
      mayLockAgain: modifiesRows(plan) && hasLimitedLock(plan),
    }
  } finally {
    await client.query('deallocate asked')
  }
}

const modifiesRows = (plan: Node): boolean => plan['Node Type'] === 'ModifyTable'

/**
 * Returns whether the query plan locks rows under a `Limit` node outside a common table expression (CTE). PostgreSQL runs a CTE only once,
 * but may run such a subquery again and lock more rows.
 */
function hasLimitedLock(node: Node): boolean {
  const below = (node.Plans ?? []).filter((plan) => !plan['Subplan Name']?.startsWith('CTE '))
  if (node['Node Type'] === 'Limit' && below.some((plan) => plan['Node Type'] === 'LockRows')) return true
  return below.some(hasLimitedLock)
}

function findFullReads(node: Node, isPartial: (index: string) => boolean, wantsFew: boolean): FullTableRead[] {
  const kind = node['Node Type']
  const [table, index] = [node['Relation Name'], node['Index Name']]
  const few = kind === 'Limit' || (wantsFew && passThroughNodes.includes(kind))
  const below = (node.Plans ?? []).flatMap((plan) => findFullReads(plan, isPartial, few))
  if (kind === 'Seq Scan' && table) return [{ table, how: kind }, ...below]
  const isIndexScan = kind === 'Index Scan' || kind === 'Index Only Scan'
  if (!isIndexScan || !table || !index || node['Index Cond'] || isPartial(index)) return below
  return wantsFew && !node.Filter ? below : [{ table, how: `${kind} of ${index}` }, ...below]
}
