import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'

/**
 * The kind of a discrepancy. `lost`: a customer was told yes, or their money was taken, and the thing is missing. `doubled`: something was
 * charged, delivered, invoiced or mailed twice. `unconfirmed`: something was delivered and nothing was taken from its card. `unsettled`:
 * something is unfinished, though nothing moves any more. `unexplained`: anything else.
 */
export type FindingKind = 'lost' | 'doubled' | 'unexplained' | 'unconfirmed' | 'unsettled'

export type Finding = { kind: FindingKind; order_code: string | null; text: string }

/**
 * A finding about something that the caller names before it. `task`: an open task of this kind about the order accounts for the fault,
 * even if it is more than unexplained.
 */
export type Fault = Pick<Finding, 'kind' | 'text'> & { task?: TaskKind }

export const faultUnless = (isGood: boolean, kind: FindingKind, text: string): Fault[] =>
  isGood ? [] : [{ kind, text }]
