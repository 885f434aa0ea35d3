import { setTimeout as pause } from 'node:timers/promises'
import { fromDate, realNow } from '#kit/server/clock.ts'
import { type Db, type Trx, transact } from '#kit/server/db.ts'
import { type HearCall, type OutsideService, outsideServices } from '#kit/server/outside-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { endTasksAbout, reportToOperator } from './operator-tasks.store.ts'
import { type EndedOutage, endOutage, noteFailures } from './outages.store.ts'

type Deps = {
  db: Db
  thresholds: Pick<Thresholds, 'noteMs' | 'outageMs'>
  onError(error: unknown): void
  /** Called when an outage ends, in the transaction that records the end. */
  onEnd?(trx: Trx, service: OutsideService, outage: EndedOutage): Promise<void>
}

type Heard = {
  answeredAt: Temporal.Instant | null
  failed: { since: Temporal.Instant; until: Temporal.Instant; failures: number; why: string } | null
}

const stopMs = 1_000
const nothing: Heard = { answeredAt: null, failed: null }

/**
 * Records how outside services respond to this process, so that all processes share one view of outages. Each outage
 * has one task, which ends with the first success in any process.
 */
export function noteOutages(deps: Deps): { hear: HearCall; stop(): Promise<void> } {
  const { thresholds, onError } = deps
  let heard = new Map<OutsideService, Heard>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let stopped = false

  async function write(): Promise<void> {
    const taken = heard
    heard = new Map()
    try {
      for (const [service, each] of taken) {
        await writeDown(deps, service, each)
        taken.delete(service)
      }
    } catch (error) {
      for (const [service, each] of taken) heard.set(service, joined(each, heard.get(service)))
      onError(error)
      wait()
    }
  }
  function wait(): void {
    // A call in flight may end after the database is closed.
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, thresholds.noteMs).unref()
  }

  return {
    hear({ service, isFailure, why }) {
      const now = realNow()
      const news: Heard = isFailure
        ? { answeredAt: null, failed: { since: now, until: now, failures: 1, why: why ?? '' } }
        : { answeredAt: now, failed: null }
      heard.set(service, joined(heard.get(service), news))
      wait()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      // Does not wait for an unavailable database.
      await Promise.race([writing.then(write), pause(stopMs)])
    },
  }
}

function joined(before: Heard = nothing, after: Heard = nothing): Heard {
  if (after.answeredAt || !before.failed)
    return { answeredAt: after.answeredAt ?? before.answeredAt, failed: after.failed }
  if (!after.failed) return before
  const failures = before.failed.failures + after.failed.failures
  return { answeredAt: before.answeredAt, failed: { ...after.failed, since: before.failed.since, failures } }
}

const writeDown = (
  { db, thresholds: { outageMs }, onEnd }: Deps,
  service: OutsideService,
  { answeredAt, failed }: Heard,
): Promise<void> =>
  transact(db, async (trx) => {
    const ended = answeredAt && (await endOutage(trx, service, answeredAt))
    if (ended) {
      await endTasksAbout(trx, { kind: 'outage', subject: service })
      await onEnd?.(trx, service, ended)
    }
    if (!failed) return
    const outage = await noteFailures(trx, { service, ...failed })
    // A single failure may be a blip, however long it takes until the next call.
    if (outage.last_failure_at.getTime() - outage.failing_since.getTime() < outageMs) return
    const since = fromDate(outage.failing_since).round('second').toString()
    const reason = `${outsideServices[service]} has not answered since ${since}`
    await reportToOperator(trx, { kind: 'outage', subject: service, reason })
  })
