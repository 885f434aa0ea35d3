import { formatTimeWithSeconds, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { Figures } from '../today.contract.ts'

export const providerNames: Readonly<Record<string, string>> = {
  card_gateway: 'Card gateway',
  mobile_network: 'Mobile network',
  mail: 'Email',
  sms: 'Text messages',
}

const halfHourMs = 1_800_000
const slots = 48

export function halfHourStartLabel(at: string, slot: number, zone: string): string {
  const newestHalfHour = Math.floor(Date.parse(at) / halfHourMs) * halfHourMs
  return formatTimeWithSeconds(new Date(newestHalfHour - (slots - 1 - slot) * halfHourMs).toISOString(), zone).slice(
    0,
    5,
  )
}

export const responseTimeLabel = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)

/** A job that has been due for this many seconds counts as late. Normally a due job starts within a second or two. */
const lateAfterSeconds = 60

export const areJobsLate = (jobs: Figures['jobs']): boolean =>
  jobs === null || (jobs.oldest_seconds ?? 0) >= lateAfterSeconds

export function jobsLabel(jobs: Figures['jobs']): string {
  if (jobs === null) return 'unknown'
  const { oldest_seconds: oldest } = jobs
  if (oldest === null) return 'none waiting'
  return `oldest ${durationLabel(oldest)}`
}
