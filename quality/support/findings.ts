import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'

/**
 * The kind of discrepancy. `lost`: something that the customer was promised or has paid for is missing. `doubled`: something was charged,
 * delivered, invoiced or mailed twice. `unconfirmed`: something was delivered but its card was never charged. `unsettled`: something is
 * unfinished although no work is in progress any more. `unexplained`: any other discrepancy.
 */
export type FindingKind = 'lost' | 'doubled' | 'unexplained' | 'unconfirmed' | 'unsettled'

export type Finding = { kind: FindingKind; order_code: string | null; text: string }

/**
 * A finding without its subject, which the caller puts in front of the text. If `task` is given, an open task of that kind about the order
 * accounts for the fault, whatever the fault's kind.
 */
export type Fault = Pick<Finding, 'kind' | 'text'> & { task?: TaskKind }

export const createFaultUnless = (isGood: boolean, kind: FindingKind, text: string): Fault[] =>
  isGood ? [] : [{ kind, text }]
