import { setTimeout as pause } from 'node:timers/promises'
import { fromDate, realNow } from '#kit/server/clock.ts'
import { type Db, type Trx, transact } from '#kit/server/db.ts'
import { type ExternalCallListener, type ExternalService, externalServices } from '#kit/server/external-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { endMatchingTasks, createTask } from './operator-tasks.store.ts'
import { type EndedOutage, endOutage, recordFailures } from './outages.store.ts'

type OutageMonitorDeps = {
  db: Db
  thresholds: Pick<Thresholds, 'noteMs' | 'outageMs'>
  onError(error: unknown): void
  /** Called when an outage ends, in the transaction that records its end. */
  onEnd?(trx: Trx, service: ExternalService, outage: EndedOutage): Promise<void>
}

type RequestResults = {
  answeredAt: Temporal.Instant | null
  failed: { since: Temporal.Instant; until: Temporal.Instant; failures: number; why: string } | null
}

const stopTimeoutMs = 1_000
const emptyResults: RequestResults = { answeredAt: null, failed: null }

/**
 * Records whether external services respond to this process, so that all processes share one view of outages. Each outage
 * has one task, which ends as soon as the service responds to any process.
 */
export function createOutageMonitor(deps: OutageMonitorDeps): {
  recordCall: ExternalCallListener
  stop(): Promise<void>
} {
  const { thresholds, onError } = deps
  let resultsByService = new Map<ExternalService, RequestResults>()
  let timer: NodeJS.Timeout | undefined
  let pendingWrite: Promise<void> = Promise.resolve()
  let isStopped = false

  async function writeResults(): Promise<void> {
    const pendingResults = resultsByService
    resultsByService = new Map()
    try {
      for (const [service, serviceResults] of pendingResults) {
        await storeResults(deps, service, serviceResults)
        pendingResults.delete(service)
      }
    } catch (error) {
      for (const [service, serviceResults] of pendingResults)
        resultsByService.set(service, mergeResults(serviceResults, resultsByService.get(service)))
      onError(error)
      scheduleWrite()
    }
  }
  function scheduleWrite(): void {
    // A request in flight may finish after the database has been closed, so do not schedule a write after the monitor has stopped.
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      pendingWrite = pendingWrite.then(writeResults)
    }, thresholds.noteMs).unref()
  }

  return {
    recordCall({ service, isFailure, why }) {
      const now = realNow()
      const newResults: RequestResults = isFailure
        ? { answeredAt: null, failed: { since: now, until: now, failures: 1, why: why ?? '' } }
        : { answeredAt: now, failed: null }
      resultsByService.set(service, mergeResults(resultsByService.get(service), newResults))
      scheduleWrite()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      // Write the last results, but give up if the database does not respond in time.
      await Promise.race([pendingWrite.then(writeResults), pause(stopTimeoutMs)])
    },
  }
}

function mergeResults(earlier: RequestResults = emptyResults, later: RequestResults = emptyResults): RequestResults {
  if (later.answeredAt || !earlier.failed)
    return { answeredAt: later.answeredAt ?? earlier.answeredAt, failed: later.failed }
  if (!later.failed) return earlier
  const failures = earlier.failed.failures + later.failed.failures
  return { answeredAt: earlier.answeredAt, failed: { ...later.failed, since: earlier.failed.since, failures } }
}

const storeResults = (
  { db, thresholds: { outageMs }, onEnd }: OutageMonitorDeps,
  service: ExternalService,
  { answeredAt, failed }: RequestResults,
): Promise<void> =>
  transact(db, async (trx) => {
    const endedOutage = answeredAt && (await endOutage(trx, service, answeredAt))
    if (endedOutage) {
      await endMatchingTasks(trx, { kind: 'outage', subject: service })
      await onEnd?.(trx, service, endedOutage)
    }
    if (!failed) return
    const outage = await recordFailures(trx, { service, ...failed })
    // The time between the first and the last failure decides whether this is an outage, so a single failure never is one.
    if (outage.last_failure_at.getTime() - outage.failing_since.getTime() < outageMs) return
    const since = fromDate(outage.failing_since).round('second').toString()
    const reason = `${externalServices[service]} has not answered since ${since}`
    await createTask(trx, { kind: 'outage', subject: service, reason })
  })
