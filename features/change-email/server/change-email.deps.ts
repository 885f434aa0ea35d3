import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Passwords } from '#kit/server/password.ts'
import type { Secrets } from '#kit/server/secrets.ts'

export type ChangeEmailDeps = {
  db: Db
  clock: Clock
  jobs: Jobs
  secrets: Secrets
  passwords: Passwords
  market: Market
  brandName: string
  colours: Colours
  help: Help
  publicUrl: string
}
