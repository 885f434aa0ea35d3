import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'

export type HealthDeps = {
  db: Db
  clock: Clock
  jobs: Pick<Jobs, 'backlog'>
  log: Log
  thresholds: Pick<Thresholds, 'healthKeptMs'>
  running: {
    version: string
    sweeps(): Sweep[]
    fault(): Promise<string | null>
  }
}
