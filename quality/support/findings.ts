import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'

/**
 * The kind of a discrepancy. `lost`: the customer was promised something or paid for it, and it is missing. `doubled`: something was
 * charged, delivered, invoiced or mailed twice. `unconfirmed`: something was delivered without a charge to its card. `unsettled`: something
 * is unfinished although nothing happens any more. `unexplained`: any other discrepancy.
 */
export type FindingKind = 'lost' | 'doubled' | 'unexplained' | 'unconfirmed' | 'unsettled'

export type Finding = { kind: FindingKind; order_code: string | null; text: string }

/**
 * A finding whose subject the caller names in front of the text. If there is an open task of the kind `task` about the order, the task
 * accounts for the fault, whatever the fault's kind.
 */
export type Fault = Pick<Finding, 'kind' | 'text'> & { task?: TaskKind }

export const faultUnless = (isGood: boolean, kind: FindingKind, text: string): Fault[] =>
  isGood ? [] : [{ kind, text }]
