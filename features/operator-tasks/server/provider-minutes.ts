import { setTimeout as pause } from 'node:timers/promises'
import { realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { HearCall, OutsideService } from '#kit/server/outside-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import { addMinutes, type ProviderMinute, purgeMinutes } from './provider-minutes.store.ts'

type Deps = {
  db: Db
  thresholds: Pick<Thresholds, 'providerMinutesMs'>
  onError(error: unknown): void
}

const slowMs = 3_000
/** Maximum response times sampled per minute; more would not change the percentile noticeably. */
const mostTimes = 1_000
/** Maximum minutes buffered while the database is unavailable; later minutes are dropped. */
const mostMinutes = 600
const stopMs = 1_000
const keptDays = 14

type Heard = Omit<ProviderMinute, 'p95Ms'> & { times: number[] }

export function noteProviderMinutes({ db, thresholds, onError }: Deps): { hear: HearCall; stop(): Promise<void> } {
  let heard = new Map<string, Heard>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let stopped = false

  async function write(): Promise<void> {
    const taken = heard
    heard = new Map()
    try {
      // Sorted, so that two processes lock the rows in the same order and cannot deadlock.
      await addMinutes(
        db,
        [...taken.keys()].toSorted().map((key) => countedUp(taken.get(key) as Heard)),
      )
    } catch (error) {
      for (const [key, each] of taken) heard.set(key, joined(each, heard.get(key)))
      onError(error)
      wait()
    }
  }
  function wait(): void {
    if (stopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      writing = writing.then(write)
    }, thresholds.providerMinutesMs).unref()
  }

  return {
    hear({ service: provider, isFailure, ms }) {
      const minute = realNow().round({ smallestUnit: 'minute', roundingMode: 'floor' })
      const key = `${minute.epochMilliseconds} ${provider}`
      if (!heard.has(key) && heard.size >= mostMinutes) return
      heard.set(key, joined(heard.get(key), heardOnce({ minute, provider }, { isFailure, ms })))
      wait()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await Promise.race([writing.then(write), pause(stopMs)])
    },
  }
}

const heardOnce = (
  of: { minute: Temporal.Instant; provider: OutsideService },
  { isFailure, ms }: { isFailure: boolean; ms: number },
): Heard => ({
  ...of,
  ok: isFailure ? 0 : 1,
  failed: isFailure ? 1 : 0,
  slow: !isFailure && ms > slowMs ? 1 : 0,
  times: [ms],
})

function joined(one: Heard | undefined, other: Heard | undefined): Heard {
  if (!one || !other) return (one ?? other) as Heard
  const { ok, failed, slow, times } = one
  for (const each of other.times) if (times.length < mostTimes) times.push(each)
  return { ...one, ok: ok + other.ok, failed: failed + other.failed, slow: slow + other.slow, times }
}

function countedUp({ times, ...counts }: Heard): ProviderMinute {
  const sorted = times.toSorted((one, other) => one - other)
  return { ...counts, p95Ms: Math.round(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0) }
}

export const purgeOldMinutes = (db: Db): Promise<void> => purgeMinutes(db, realNow().subtract({ hours: 24 * keptDays }))
