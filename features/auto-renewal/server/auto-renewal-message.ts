import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { dayOf, formatRelativeDay, formatHour, formatHourAndDay, getLastDayBefore } from '#kit/server/relative-day.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser, type User } from '#features/auth/server/users.store.ts'
import { buildGreeting, type OutboxMessage, type NewMail, queueMessage } from '#features/messages/server/messages.ts'
import type { StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceRow, ServiceSchedule } from '#features/services/server/plan-life.store.ts'
import { type CardLabel, getCardName } from './card.ts'
import { findSendCondition } from './send-condition.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

type PlanAtTime = {
  service: Pick<ServiceRow, 'msisdn'>
  schedule: Pick<ServiceSchedule, 'expiresAt'>
  now: Temporal.Instant
}

/** Restores the plan that a message stated, at the time when the message was written. */
export const restoreStatedPlan = ({ msisdn, ends_at: endsAt, at }: StatedFacts): PlanAtTime => ({
  service: { msisdn },
  schedule: { expiresAt: Temporal.Instant.from(endsAt) },
  now: Temporal.Instant.from(at),
})

export function formatPlanDates({ market: { zone } }: OrderDeps, { service, schedule, now }: PlanAtTime) {
  const day = (at: Temporal.Instant): Temporal.PlainDate => dayOf(at, zone)
  const lastDayDate = getLastDayBefore(schedule.expiresAt, zone)
  const formatDayText = (date: Temporal.PlainDate): string => formatRelativeDay(date, day(now))
  return {
    day,
    today: day(now),
    lastDayIs: lastDayDate,
    number: formatNational(service.msisdn),
    ends: formatDate(schedule.expiresAt, zone),
    endsOn: formatDayText(day(schedule.expiresAt)),
    lastDay: formatDayText(lastDayDate),
    time: (at: Temporal.Instant): string => appendZone(`${formatDayText(day(at))} at ${formatHour(at, zone)}`, zone),
    when: (at: Temporal.Instant): string => formatHourAndDay(at, day(now), zone),
  }
}

/** Builds an email. Its first paragraph continues the sentence that starts with the greeting. */
export const buildCustomerMail = (
  deps: OrderDeps,
  user: MailRecipient,
  { paragraphs: [first = '', ...more], ...otherFields }: Omit<NewMail, 'to'>,
): OutboxMessage => ({
  mail: { ...otherFields, to: user, paragraphs: [`${buildGreeting(deps, user.first_name)}, ${first}`, ...more] },
})

export type MailRecipient = Pick<User, 'id' | 'email' | 'first_name'>

export async function queueCustomerMail(
  trx: Trx,
  deps: OrderDeps,
  { service }: { service: Pick<ServiceRow, 'user_id'> },
  mailContent: Omit<NewMail, 'to'>,
): Promise<void> {
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  await queueMessage(trx, deps, buildCustomerMail(deps, user, mailContent))
}

type TextMessageContent = { event: string; words: string; byDay: boolean }

export const createTextMessage = (
  { id, msisdn, user_id: userId }: ServiceRow,
  sendCondition: string,
  { event, words, byDay }: TextMessageContent,
): OutboxMessage => ({
  sms: {
    eventKey: `auto-renewal-text:${event}`,
    to: msisdn,
    userId,
    text: words,
    onlyWhile: { serviceId: id, premise: sendCondition, byDay },
  },
})

export async function queueTextMessage(
  trx: Trx,
  deps: OrderDeps,
  { service, now }: LockedAutoRenewal,
  text: TextMessageContent,
): Promise<void> {
  const sendCondition = await findSendCondition(trx, deps, service.id, now)
  if (sendCondition !== null) await queueMessage(trx, deps, createTextMessage(service, sendCondition, text))
}

export const cardProblemTexts = {
  'no-card': 'there is no credit card saved in your account',
  'card-expired': 'your saved credit card will have expired by then',
} as const

/** Returns a card's name for use within a sentence, for example `'Visa ending 1111'` or `'card ending 1111'`. */
export const cardNameInSentence = (card: CardLabel): string => getCardName(card).replace(/^Card\b/, 'card')

export const updateCardLink = ({ publicUrl }: OrderDeps) => ({
  text: 'Update my payment method',
  url: `${publicUrl}/account/payment-method/`,
})
