import { minuteOf, spanWords } from '#desk/features/staff/web/span-words.ts'
import type { BillingMethod } from '#features/porting/porting.contract.ts'
import { portingHours } from '#features/porting/porting-hours.contract.ts'
import type { Region } from '#kit/contract/phone.ts'
import type { AskedField, PortAnswers, PortContact, PortStanding } from '../ports.contract.ts'

export const fieldNames: Record<AskedField, string> = {
  msisdn: 'Number',
  provider: 'From',
  billing_method: 'Billing',
  prepaid_sim_number: 'SIM number',
  account_number: 'Account number',
}

export const contactWords: Record<PortContact['act'], string> = { remind: 'Remind', ask: 'Ask by text' }

const billingWords: Record<BillingMethod, string> = { prepay: 'Prepay', account: 'On account' }

type Donors = readonly { id: string; name: string }[]

export function answerIn(answers: PortAnswers, field: AskedField, donors: Donors): string {
  if (field === 'provider') return donors.find(({ id }) => id === answers.provider)?.name ?? answers.provider
  if (field === 'billing_method') return billingWords[answers.billing_method]
  if (field === 'prepaid_sim_number') return answers.billing_method === 'prepay' ? answers[field] : ''
  if (field === 'account_number') return answers.billing_method === 'account' ? answers[field] : ''
  return answers[field]
}

export type Difference = { field: AskedField; before: string; after: string }

const fields = Object.keys(fieldNames) as AskedField[]
const bare = (text: string): string => text.replaceAll(/[\s()-]/g, '')

export const differencesIn = (before: PortAnswers, after: PortAnswers, donors: Donors): Difference[] =>
  fields
    .map((field) => ({ field, before: answerIn(before, field, donors), after: answerIn(after, field, donors) }))
    .filter((row) => bare(row.before) !== bare(row.after))

export function leftWords(replyBy: string, now: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(replyBy) - Date.parse(now)) / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return `${[hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')} left`
}

/** Formats seconds like `spanWords`, but with hours and minutes from one to ten hours: `4 h 55`, `22 h`, `3 days`. */
export function openWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60 || minutes >= 600) return spanWords(seconds)
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
}

export function whyWords({ why, reply_by, looked_at_from }: PortStanding, at: { now: string; zone: string }): string {
  if (reply_by) return `${why} ${leftWords(reply_by, at.now)}.`
  return looked_at_from ? `${why} They’ll look at it from ${minuteOf(looked_at_from, at.zone)}.` : why
}

export function hoursWords(lookedAtFrom: string | null, { code, zone }: { code: Region; zone: string }): string {
  const { words } = portingHours[code]
  const next = lookedAtFrom
    ? `They’ll look at a request sent now from ${minuteOf(lookedAtFrom, zone)}.`
    : 'They’ll look at a request sent now today.'
  return `Other providers work ${words}. ${next}`
}
