import type { Gateway } from './gateway.ts'
import type { Change, FailureKind } from './state.ts'

/** The caller must commit the changes. */
export type Outcome = {
  body: Record<string, unknown>
  changes: Change[]
  /** The changes are made, but the connection breaks before the response (only the first time). */
  answerIsLost?: boolean
}

/** @throws Fault if the operation is rejected */
export type Operation = (gateway: Gateway, body: unknown, failure: FailureKind | null) => Outcome
