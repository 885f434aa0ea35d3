import type { Db } from '#kit/server/db.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'

export type OperatorTasksDeps = MessageDeps & {
  db: Db
  /** The address for emails about new tasks; `null` if the operator does not want them. */
  operatorMail: string | null
  thresholds: Thresholds
}
