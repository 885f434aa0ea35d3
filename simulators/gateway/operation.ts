import type { Gateway } from './gateway.ts'
import type { Change, FailureKind } from './state.ts'

/** What an operation answers with HTTP 200, and what it changes; nothing is written before the caller does it. */
export type Outcome = {
  body: Record<string, unknown>
  changes: Change[]
  /** The work is done, but the connection breaks before the answer (only this first time). */
  answerIsLost?: boolean
}

/** @throws Fault for what it does not carry out */
export type Operation = (gateway: Gateway, body: unknown, failure: FailureKind | null) => Outcome
