import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { BillingMethod } from '#features/porting/porting.contract.ts'
import { portingHours } from '#features/porting/porting-hours.contract.ts'
import type { Region } from '#kit/contract/phone.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import type { PortRequestField, PortRequestData, PortContact, PortStatusView } from '../ports.contract.ts'

export const fieldNames: Record<PortRequestField, string> = {
  msisdn: 'Number',
  provider: 'From',
  billing_method: 'Billing',
  prepaid_sim_number: 'SIM number',
  account_number: 'Account number',
}

export const contactLabels: Record<PortContact['act'], string> = { remind: 'Remind', ask: 'Ask the customer by text' }

const billingLabels: Record<BillingMethod, string> = { prepay: 'Prepay', account: 'On account' }

type DonorList = readonly { id: string; name: string }[]

export function formatFieldValue(answers: PortRequestData, field: PortRequestField, donors: DonorList): string {
  if (field === 'provider') return donors.find(({ id }) => id === answers.provider)?.name ?? answers.provider
  if (field === 'billing_method') return billingLabels[answers.billing_method]
  if (field === 'prepaid_sim_number') return answers.billing_method === 'prepay' ? answers[field] : ''
  if (field === 'account_number') return answers.billing_method === 'account' ? answers[field] : ''
  return answers[field]
}

export type RequestDifference = { field: PortRequestField; before: string; after: string }

const requestFieldNames = Object.keys(fieldNames) as PortRequestField[]
const normalize = (text: string): string => text.replaceAll(/[\s()-]/g, '')

export const findDifferences = (
  before: PortRequestData,
  after: PortRequestData,
  donors: DonorList,
): RequestDifference[] =>
  requestFieldNames
    .map((field) => ({
      field,
      before: formatFieldValue(before, field, donors),
      after: formatFieldValue(after, field, donors),
    }))
    .filter((row) => normalize(row.before) !== normalize(row.after))

export function timeLeftLabel(replyBy: string, now: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(replyBy) - Date.parse(now)) / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${[hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')} left`
}

/** Formats seconds like `durationLabel`, except that one to ten hours are shown as hours and minutes, for example `4 h 55`. */
export function openDurationLabel(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60 || minutes >= 600) return durationLabel(seconds)
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
}

export function reasonLabel(
  { why, reply_by, looked_at_from }: PortStatusView,
  at: { now: string; zone: string },
): string {
  if (reply_by) return `${why} ${timeLeftLabel(reply_by, at.now)}.`
  return looked_at_from
    ? `${why} The other provider will handle it from ${formatStartTime(looked_at_from, at.zone)}.`
    : why
}

export function providerHoursLabel(
  lookedAtFrom: string | null,
  { code, zone }: { code: Region; zone: string },
): string {
  const { words } = portingHours[code]
  const next = lookedAtFrom
    ? `A request sent now will be handled from ${formatStartTime(lookedAtFrom, zone)}.`
    : 'A request sent now will be handled today.'
  return `Other providers work ${appendZone(words, zone)}. ${next}`
}

/** Names the zone, because staff tell the customer this time. */
const formatStartTime = (at: string, zone: string): string => appendZone(formatDayAndTime(at, zone), zone)
