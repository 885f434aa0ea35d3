import type { Db } from '#kit/server/db.ts'
import type { Jobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import type { ErrorReporter } from '#providers/errors/errors.port.ts'

export type ErrorReportsDeps = {
  db: Db
  jobs: Jobs
  log: Log
  errorReporter: ErrorReporter | null
}
