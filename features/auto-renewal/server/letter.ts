import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { dayOf, dayWords, hourWords, lastDayBefore } from '#kit/server/day-words.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { greet, type Letter, type NewMail, queueLetter } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceRow } from '#features/services/server/plan-life.store.ts'
import { nameOfCard, type SavedCard } from './card.ts'
import { premiseOf } from './premise.ts'
import type { LockedAutoRenewal } from './turn.ts'

export function wordsOf({ market: { zone } }: OrderDeps, { service, schedule, now }: LockedAutoRenewal) {
  const day = (at: Temporal.Instant): Temporal.PlainDate => dayOf(at, zone)
  const lastDayIs = lastDayBefore(schedule.expiresAt, zone)
  const words = (each: Temporal.PlainDate): string => dayWords(each, day(now))
  return {
    day,
    lastDayIs,
    number: formatNational(service.msisdn),
    ends: formatDate(schedule.expiresAt, zone),
    endsOn: words(day(schedule.expiresAt)),
    lastDay: words(lastDayIs),
    time: (at: Temporal.Instant): string => `${words(day(at))} at ${hourWords(at, zone)}`,
    when: (at: Temporal.Instant): string =>
      `${hourWords(at, zone)} ${day(at).equals(day(now)) ? 'today' : `on ${words(day(at))}`}`,
  }
}

/** The first paragraph continues the greeting. */
export const letterTo = (
  deps: OrderDeps,
  user: Addressee,
  { paragraphs: [first = '', ...more], ...letter }: Omit<NewMail, 'to'>,
): Letter => ({
  mail: { ...letter, to: user, paragraphs: [`${greet(deps, user.first_name)}, ${first}`, ...more] },
})

export type Addressee = Pick<User, 'id' | 'email' | 'first_name'>

export async function sendLetter(
  trx: Trx,
  deps: OrderDeps,
  { service }: { service: Pick<ServiceRow, 'user_id'> },
  letter: Omit<NewMail, 'to'>,
): Promise<void> {
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  await queueLetter(trx, deps, letterTo(deps, user, letter))
}

type Text = { event: string; words: string; byDay: boolean }

export const textAbout = (
  { id, msisdn, user_id: userId }: ServiceRow,
  premise: string,
  { event, words, byDay }: Text,
): Letter => ({
  sms: {
    eventKey: `auto-renewal-text:${event}`,
    to: msisdn,
    userId,
    text: words,
    onlyWhile: { serviceId: id, premise, byDay },
  },
})

export async function sendText(
  trx: Trx,
  deps: OrderDeps,
  { service, now }: LockedAutoRenewal,
  text: Text,
): Promise<void> {
  const premise = await premiseOf(trx, deps, service.id, now)
  if (premise !== null) await queueLetter(trx, deps, textAbout(service, premise, text))
}

export const troubles = {
  'no-card': 'there is no credit card saved in your account',
  'card-expired': 'your saved credit card will have expired by then',
} as const

/** For the middle of a sentence, for example `'Visa ending 1111'` or `'card ending 1111'`. */
export const cardWords = (card: SavedCard): string => nameOfCard(card).replace(/^Card\b/, 'card')

export const updateCard = ({ publicUrl }: OrderDeps) => ({
  text: 'Update my payment method',
  url: `${publicUrl}/account/payment-method/`,
})
