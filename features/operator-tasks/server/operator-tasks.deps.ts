import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'

export type OperatorTasksDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  market: Pick<Market, 'code'>
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
  /** Where mails about new tasks go; null: none are sent. */
  operatorMail: string | null
  thresholds: Thresholds
}
