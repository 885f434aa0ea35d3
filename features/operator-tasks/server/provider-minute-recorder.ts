import { setTimeout as pause } from 'node:timers/promises'
import { realNow } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { ExternalCallListener, ExternalService } from '#kit/server/external-calls.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import {
  upsertProviderMinuteStats,
  type ProviderMinuteStats,
  purgeProviderMinuteStats,
} from './provider-minutes.store.ts'

type MinuteRecorderDeps = {
  db: Db
  thresholds: Pick<Thresholds, 'providerMinutesMs'>
  onError(error: unknown): void
}

const slowRequestMs = 3_000
/** Maximum number of response times kept per minute. More response times would hardly change the percentiles. */
const maxResponseTimes = 1_000
/** Maximum number of minutes kept in memory while the database is unavailable. Further minutes are dropped. */
const maxPendingMinutes = 600
const stopTimeoutMs = 1_000
const retentionDays = 14

type MinuteSample = Omit<ProviderMinuteStats, 'p95Ms'> & { times: number[] }

export function createProviderMinuteRecorder({ db, thresholds, onError }: MinuteRecorderDeps): {
  recordCall: ExternalCallListener
  stop(): Promise<void>
} {
  let samplesByKey = new Map<string, MinuteSample>()
  let timer: NodeJS.Timeout | undefined
  let pendingWrite: Promise<void> = Promise.resolve()
  let isStopped = false

  async function writeProviderMinuteStats(): Promise<void> {
    const pendingSamples = samplesByKey
    samplesByKey = new Map()
    try {
      // Sort the minutes, so that processes lock the rows in the same order and cannot deadlock.
      await upsertProviderMinuteStats(
        db,
        [...pendingSamples.keys()]
          .toSorted()
          .map((key) => toProviderMinuteStats(pendingSamples.get(key) as MinuteSample)),
      )
    } catch (error) {
      for (const [key, sample] of pendingSamples) samplesByKey.set(key, mergeSamples(sample, samplesByKey.get(key)))
      onError(error)
      scheduleWrite()
    }
  }
  function scheduleWrite(): void {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      pendingWrite = pendingWrite.then(writeProviderMinuteStats)
    }, thresholds.providerMinutesMs).unref()
  }

  return {
    recordCall({ service: provider, isFailure, ms }) {
      const minute = realNow().round({ smallestUnit: 'minute', roundingMode: 'floor' })
      const key = `${minute.epochMilliseconds} ${provider}`
      if (!samplesByKey.has(key) && samplesByKey.size >= maxPendingMinutes) return
      samplesByKey.set(
        key,
        mergeSamples(samplesByKey.get(key), createRequestSample({ minute, provider }, { isFailure, ms })),
      )
      scheduleWrite()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await Promise.race([pendingWrite.then(writeProviderMinuteStats), pause(stopTimeoutMs)])
    },
  }
}

const createRequestSample = (
  of: { minute: Temporal.Instant; provider: ExternalService },
  { isFailure, ms }: { isFailure: boolean; ms: number },
): MinuteSample => ({
  ...of,
  ok: isFailure ? 0 : 1,
  failed: isFailure ? 1 : 0,
  slow: !isFailure && ms > slowRequestMs ? 1 : 0,
  times: [ms],
})

function mergeSamples(one: MinuteSample | undefined, other: MinuteSample | undefined): MinuteSample {
  if (!one || !other) return (one ?? other) as MinuteSample
  const { ok, failed, slow, times } = one
  for (const each of other.times) if (times.length < maxResponseTimes) times.push(each)
  return { ...one, ok: ok + other.ok, failed: failed + other.failed, slow: slow + other.slow, times }
}

function toProviderMinuteStats({ times, ...counts }: MinuteSample): ProviderMinuteStats {
  const sortedTimes = times.toSorted((one, other) => one - other)
  return { ...counts, p95Ms: Math.round(sortedTimes[Math.ceil(sortedTimes.length * 0.95) - 1] ?? 0) }
}

export const purgeOldMinuteStats = (db: Db): Promise<void> =>
  purgeProviderMinuteStats(db, realNow().subtract({ hours: 24 * retentionDays }))
