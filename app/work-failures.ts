import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import { createFailureLog } from '#kit/server/failure-log.ts'
import type { FailedJob } from '#kit/server/jobs.ts'
import type { Sweep, Upkeep } from '#kit/server/sweeps.ts'
import { forwardErrorJobName } from '#features/error-reports/server/error-events.ts'
import type { Deps } from './deps.ts'

type WorkFailureHandlers = {
  upkeepFailed(error: unknown, name: string): void
  jobFailed(job: FailedJob, error: unknown): void
  watched<Task extends Sweep | Upkeep>(tasks: Task[]): Task[]
}

/**
 * Reports failed work to the log and to the error-reporting service. A failed job is reported every time, with the ids
 * of whatever it was about. Failing upkeep runs again half a second later, so its failures are logged when they start,
 * once a minute after that, and when they end. While the database is unavailable all work fails, and the outage is
 * reported once.
 */
export function createFailureHandlers(
  { log, passOnError, thresholds }: Deps,
  away: DatabaseOutageLog,
): WorkFailureHandlers {
  const failures = createFailureLog(
    {
      begins(task, failing, error) {
        log.error({ err: error, task, ...failing }, 'upkeep failed')
        passOnError(error, { kind: 'upkeep', task })
      },
      goesOn: (task, failing, error) => log.error({ err: error, task, ...failing }, 'upkeep still fails'),
      ends: (task, failing) => log.info({ task, ...failing }, 'upkeep succeeds again'),
    },
    thresholds.remindMs,
  )
  return {
    upkeepFailed(error, name) {
      if (!away.note(error)) failures.failed(name, error)
    },
    jobFailed({ queue, tries, isLast, data }, error) {
      if (away.note(error)) return
      const details = { err: error, queue, tries, isLast, about: idsIn(data) }
      log.error(details, isLast ? 'a job failed, and is not tried again' : 'a job failed')
      // If forwarding an error report fails, that must not cause another error report.
      if (queue !== forwardErrorJobName) passOnError(error, { kind: 'job', task: queue })
    },
    watched: (tasks) =>
      tasks.map((task) => ({
        ...task,
        async run(now: Temporal.Instant) {
          await task.run(now)
          failures.succeeded(task.name)
        },
      })),
  }
}

const maxIdLength = 80

/** Selects the fields of a job's data that are safe to log: the key of its row, and ids. Other fields may contain customer data. */
const idsIn = (data: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(data).filter(
      (entry): entry is [string, string] =>
        /^(?:key|[a-z]+Id)$/.test(entry[0]) && typeof entry[1] === 'string' && entry[1].length <= maxIdLength,
    ),
  )
