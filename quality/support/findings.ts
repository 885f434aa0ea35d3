import type { TaskKind } from '#features/operator-tasks/server/operator-tasks.store.ts'

/**
 * What sort of thing does not add up. `lost`: a customer was told yes, or their money was taken, and the thing is not there.
 * `doubled`: charged, delivered, invoiced or written to twice. `unconfirmed`: delivered for a card of which nothing was taken.
 * `unsettled`: not over, though nothing moves any more. `unexplained`: anything else.
 */
export type FindingKind = 'lost' | 'doubled' | 'unexplained' | 'unconfirmed' | 'unsettled'

/** One sentence, and the order that it is about, where it is about one. */
export type Finding = { kind: FindingKind; order_code: string | null; text: string }

/**
 * A finding about something whose name the caller puts before it. `task`: an open one of this kind about the order accounts for it,
 * though it is more than unexplained.
 */
export type Fault = Pick<Finding, 'kind' | 'text'> & { task?: TaskKind }

/** Nothing, or what is wrong. */
export const unless = (isGood: boolean, kind: FindingKind, text: string): Fault[] => (isGood ? [] : [{ kind, text }])
