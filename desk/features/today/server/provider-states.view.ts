import { sql } from 'kysely'
import { type Clock, realNow, toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { type ExternalService, externalServices } from '#kit/server/external-calls.ts'
import type { NoticeKind } from '#features/notices/notices.contract.ts'

const noticeKindByService = {
  card_gateway: 'payments',
  mobile_network: 'network',
  mail: 'messages',
  sms: 'messages',
} as const satisfies Partial<Record<ExternalService, NoticeKind>>
type MonitoredService = keyof typeof noticeKindByService
const serviceNames = Object.keys(noticeKindByService) as MonitoredService[]
export const monitoredServices: readonly MonitoredService[] = serviceNames

export type ProviderState = Awaited<ReturnType<typeof readProviderStates>>[number]

export async function readProviderStates({ db, clock }: { db: Db; clock: Clock }) {
  const outages = await db.selectFrom('outages').selectAll().where('service', 'in', serviceNames).execute()
  const halfHourRows = await readHalfHours(db, realNow())
  const publishedNotices = await readPublishedNotices(db, clock.now())
  return serviceNames.map((service) => {
    const outage = outages.find((each) => each.service === service)
    return {
      service,
      words: externalServices[service],
      failingSince: outage?.failing_since ?? null,
      failures: outage?.failing_since ? outage.failures : 0,
      lastFailureAt: outage?.last_failure_at ?? null,
      halves: halfHourRows.filter(({ provider }) => provider === service),
      notice: { kind: noticeKindByService[service], isSaid: publishedNotices.has(noticeKindByService[service]) },
    }
  })
}

export const halfHours = 48
const halfHourMs = 1_800_000

/** A half hour in which Fantail sent requests to the provider. `at` is its index among the last 48 half hours, oldest first. */
type HalfHourFigures = { provider: ExternalService; at: number; ok: number; slow: number; failed: number; p95: number }

async function readHalfHours(db: Db, now: Temporal.Instant): Promise<HalfHourFigures[]> {
  const newestHalfHour = Math.floor(now.epochMilliseconds / halfHourMs)
  const from = new Date((newestHalfHour - halfHours + 1) * halfHourMs)
  return db
    .selectFrom('provider_minutes')
    .select(({ fn }) => [
      'provider',
      sql<number>`floor(extract(epoch from minute - ${from}::timestamptz) / 1800)::int`.as('at'),
      fn.sum<string>('ok').as('ok'),
      fn.sum<string>('slow').as('slow'),
      fn.sum<string>('failed').as('failed'),
      fn.max('p95_ms').as('p95'),
    ])
    .where('minute', '>=', from)
    .where('provider', 'in', serviceNames)
    .groupBy(['provider', 'at'])
    .execute()
    .then((rows) =>
      rows.map(({ provider, at, ok, slow, failed, p95 }) => ({
        provider,
        at,
        ok: Number(ok),
        slow: Number(slow),
        failed: Number(failed),
        p95: Number(p95),
      })),
    )
}

async function readPublishedNotices(db: Db, now: Temporal.Instant): Promise<Set<NoticeKind>> {
  const rows = await db
    .selectFrom('notices')
    .select('kind')
    .where('ended_at', 'is', null)
    .where('ends_at', '>', toDate(now))
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}
