import type { Gateway } from './gateway.ts'
import type { TableChange, FailureKind } from './state.ts'

/** The result of an operation. The caller must commit its changes. */
export type Outcome = {
  body: Record<string, unknown>
  changes: TableChange[]
  /** If true, the changes are made but the connection is dropped before the response. A repeat of the request gets the response. */
  answerIsLost?: boolean
}

/** An operation in the payments API. @throws Fault if the operation is rejected */
export type Operation = (gateway: Gateway, body: unknown, failure: FailureKind | null) => Outcome
