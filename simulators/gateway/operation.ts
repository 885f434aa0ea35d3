import type { Gateway } from './gateway.ts'
import type { Change, FailureKind } from './state.ts'

/** Result of an operation. The caller must commit the changes. */
export type Outcome = {
  body: Record<string, unknown>
  changes: Change[]
  /** True if the connection must break before the response, although the changes are made. A repeated request is answered. */
  answerIsLost?: boolean
}

/** An operation of the payments API. @throws Fault if the operation is rejected */
export type Operation = (gateway: Gateway, body: unknown, failure: FailureKind | null) => Outcome
