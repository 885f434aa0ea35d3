import type { Db } from '#kit/server/db.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'

export type OperatorTasksDeps = MessageDeps & {
  db: Db
  /** The recipient of emails about new tasks; `null` disables them. */
  operatorMail: string | null
  thresholds: Thresholds
}
