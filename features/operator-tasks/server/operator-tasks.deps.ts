import type { Db } from '#kit/server/db.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { MessageDeps } from '#features/messages/server/messages.ts'

export type OperatorTasksDeps = MessageDeps & {
  db: Db
  /** Where mails about new tasks go; null: none are sent. */
  operatorMail: string | null
  thresholds: Thresholds
}
