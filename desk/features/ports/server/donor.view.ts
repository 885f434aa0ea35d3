import { maskNumbers } from '#desk/features/orders/server/order.labels.ts'
import { getFailureReason } from '#features/porting/server/port-failure.ts'
import type { DonorStatistics, PortFigures } from '#desk/features/ports/ports.contract.ts'
import type { PortRules } from './port.labels.ts'
import { sql } from 'kysely'
import { toDate } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { BillingMethod } from '#features/porting/porting.contract.ts'
import type { PortingStatus } from '#features/porting/porting.states.ts'

const maxReasons = 5

export function presentDonorStatistics(
  { failureOfPort }: Pick<PortRules, 'failureOfPort'>,
  { rows, medianSeconds }: Awaited<ReturnType<typeof readDonorStatistics>>,
): DonorStatistics {
  const countByStatus = (...statuses: string[]): number =>
    rows.reduce((sum, { status, times }) => sum + (statuses.includes(status) ? times : 0), 0)
  const failedPorts = rows.filter(({ status }) => status === 'FAILED')
  return {
    days: donorStatisticsDays,
    moved: countByStatus('COMPLETED'),
    declined: countByStatus('FAILED'),
    called_off: countByStatus('CANCELLED'),
    under_way: countByStatus('NEW', 'SUBMITTED', 'CANCELLING'),
    median_seconds: medianSeconds,
    reasons: failedPorts
      .toSorted((one, other) => other.times - one.times)
      .slice(0, maxReasons)
      .map(({ code, times }) => ({
        words: reasonLabels[failureOfPort(code) ?? 'other'],
        code: code && maskNumbers(code),
        times,
      })),
  }
}

const reasonLabels = {
  donor_mismatch: 'SIM or account number doesn’t match',
  no_reply: 'No answer in time',
  said_no: 'Reply was NO',
  other: 'Other reason',
} as const

export function presentPortFigures(
  rules: Pick<PortRules, 'failureOfPort'>,
  { donors, failures }: Awaited<ReturnType<typeof readDonorFigures>>,
): PortFigures {
  const failuresWithLabels = failures.map((row) => ({ ...labelFailure(rules, row), times: row.times }))
  const reasons = [...Map.groupBy(failuresWithLabels, ({ words, code }) => `${words} ${code ?? ''}`).values()].flatMap(
    (sameReason) => {
      const [first] = sameReason
      return first ? [{ ...first, times: sameReason.reduce((sum, { times }) => sum + times, 0) }] : []
    },
  )
  return {
    days: transferStatisticsDays,
    donors: donors.map(({ name, asked, came, medianSeconds }) => ({
      name,
      asked,
      came,
      median_seconds: medianSeconds,
    })),
    failed: reasons.reduce((sum, { times }) => sum + times, 0),
    reasons: reasons
      .toSorted((one, other) => other.times - one.times)
      .slice(0, maxReasons)
      .map(({ words, code, times }) => ({ words, code, times })),
  }
}

function labelFailure(
  rules: Pick<PortRules, 'failureOfPort'>,
  { code, billing_method }: FailureRow,
): { words: string; code: string | null } {
  const reason = getFailureReason(rules, { status: 'FAILED', failure_code: code, billing_method })
  if (reason && reason !== 'cancelled') return { words: failureLabels[reason], code: null }
  return { words: reasonLabels.other, code: code && maskNumbers(code) }
}

const failureLabels = {
  sim_number: 'SIM number wrong',
  account_number: 'Account number wrong',
  no_reply: 'No answer in time',
  said_no: 'Reply was NO',
} as const

export const donorStatisticsDays = 90

export type DonorRow = { status: PortingStatus; code: string | null; times: number }

export async function readDonorStatistics(
  db: Db,
  providerId: string,
  now: Temporal.Instant,
): Promise<{ rows: DonorRow[]; medianSeconds: number | null }> {
  const since = toDate(now.subtract({ hours: 24 * donorStatisticsDays }))
  const rows = await db
    .selectFrom('porting_requests')
    .select(({ fn }) => ['status', 'failure_code as code', fn.countAll().as('times')])
    .where('provider_id', '=', providerId)
    .where('created_at', '>=', since)
    .groupBy(['status', 'failure_code'])
    .execute()
  const duration = await db
    .selectFrom('porting_requests')
    .select(medianDuration.as('median'))
    .where('provider_id', '=', providerId)
    .where('created_at', '>=', since)
    .where('status', '=', 'COMPLETED')
    .executeTakeFirst()
  return {
    rows: rows.map(({ times, ...row }) => ({ ...row, times: Number(times) })),
    medianSeconds: roundOrNull(duration?.median ?? null),
  }
}

const medianDuration = sql<number | null>`percentile_cont(0.5) within group (
  order by extract(epoch from porting_requests.ended_at - porting_requests.created_at))`
const roundOrNull = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds))

export const transferStatisticsDays = 30
const maxDonors = 6

export type DonorFigures = { name: string; asked: number; came: number; medianSeconds: number | null }
export type FailureRow = { code: string | null; billing_method: BillingMethod; times: number }

/**
 * Reads transfer statistics for the providers with the most decided first requests: how many of these requests there were, and how many
 * completed. A cancelled request does not count as decided. Also counts all failed requests by code, whether first or later.
 */
export async function readDonorFigures(
  db: Db,
  now: Temporal.Instant,
): Promise<{ donors: DonorFigures[]; failures: FailureRow[] }> {
  const since = toDate(now.subtract({ hours: 24 * transferStatisticsDays }))
  const lookbackStart = toDate(now.subtract({ hours: 24 * (transferStatisticsDays + donorStatisticsDays) }))
  /*
   * Both `created_at` conditions are ranges in the index `porting_requests_by_status`. Earlier requests are searched only
   * this far back, because nobody keeps retrying a transfer for longer.
   */
  const isFirstRequest = sql<boolean>`not exists (
    select from porting_requests as earlier
    where earlier.service_id = porting_requests.service_id and earlier.status = 'FAILED'
      and earlier.created_at >= ${lookbackStart} and earlier.created_at < porting_requests.created_at
  )`
  const isCompleted = sql<boolean>`porting_requests.status = 'COMPLETED'`
  const donors = await db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .select(({ fn }) => [
      'porting_providers.name',
      fn.countAll().as('asked'),
      sql<string>`count(*) filter (where ${isCompleted})`.as('came'),
      sql<number | null>`${medianDuration} filter (where ${isCompleted})`.as('median'),
    ])
    .where('porting_requests.status', 'in', ['COMPLETED', 'FAILED'])
    .where('porting_requests.created_at', '>=', since)
    .where(isFirstRequest)
    .groupBy(['porting_providers.id', 'porting_providers.name'])
    .orderBy('asked', 'desc')
    .orderBy('porting_providers.name')
    .limit(maxDonors)
    .execute()
  const failures = await db
    .selectFrom('porting_requests')
    .select(({ fn }) => ['failure_code as code', 'billing_method', fn.countAll().as('times')])
    .where('status', '=', 'FAILED')
    .where('created_at', '>=', since)
    .groupBy(['failure_code', 'billing_method'])
    .execute()
  return {
    donors: donors.map(({ name, asked, came, median }) => ({
      name,
      asked: Number(asked),
      came: Number(came),
      medianSeconds: roundOrNull(median),
    })),
    failures: failures.map(({ times, ...row }) => ({ ...row, times: Number(times) })),
  }
}
