import { appendZone } from '#kit/contract/zone-name.ts'
import type { Trx } from '#kit/server/db.ts'
import { chooseFittingSmsText } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { AutoRenewalFailure } from './auto-renewal.store.ts'
import type { SavedCard } from './card.ts'
import {
  cardNameInSentence,
  queueCustomerMail,
  queueTextMessage,
  cardProblemTexts,
  updateCardLink,
  formatPlanDates,
} from './auto-renewal-message.ts'
import type { LockedAutoRenewal } from './locked-auto-renewal.ts'

type ChargeFailure = Exclude<AutoRenewalFailure, 'withdrawn'>

export type FailedCharge = {
  /** Identifies the failed attempt, so that each attempt sends only one email. */
  event: string
  failure: ChargeFailure
  card: SavedCard | null
  next: Temporal.Instant | null
}

export async function notifyChargeFailure(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { event, failure, card, next }: FailedCharge,
): Promise<void> {
  const { schedule, now } = locked
  const { number, ends, endsOn, lastDay, time } = formatPlanDates(deps, locked)
  const hasEnded = isBefore(schedule.expiresAt, now)
  const renew = `${deps.publicUrl}/services/renew/${schedule.shortId}/`
  await queueCustomerMail(trx, deps, locked, {
    eventKey: `auto-renewal:failed:${event}`,
    subject:
      next || hasEnded
        ? `We could not renew your Prepay Plan for ${number}`
        : `Your Prepay Plan for ${number} expires on ${ends}`,
    heading: 'We could not renew your Prepay Plan',
    paragraphs: [
      `we could not renew your Prepay Plan for ${number}: ${failureReasonSentence(failure, card)}. You have not been charged.`,
      next
        ? `We will try again ${isBefore(next, now) ? 'shortly' : `on ${time(next)}`}. ` +
          `${remedySentence(failure)} You can also renew your Prepay Plan yourself: ${renew}`
        : 'We won’t try again. Auto-renewal is now off. ' +
          `${hasEnded ? `Your Prepay Plan expired on ${endsOn}` : `Your Prepay Plan expires on ${endsOn}. Its last day is ${lastDay}`}. ` +
          `${failure === 'no-card' ? 'Add a card' : 'Update your card'} and renew it yourself to keep using your Phone Number: ${renew}`,
    ],
    rows: [
      ['Phone number', number],
      [hasEnded ? 'Expired on' : 'Expires on', ends],
    ],
    button: updateCardLink(deps),
  })
  const smsText = next ? buildRetrySms(deps, locked, { failure, card, next }) : buildFinalFailureSms(deps, locked)
  if (!next || !isBefore(next, now))
    await queueTextMessage(trx, deps, locked, { event: `failed:${event}`, words: smsText, byDay: hasEnded })
}

function remedySentence(failure: ChargeFailure): string {
  if (failure === 'network') return 'You don’t need to do anything.'
  return failure === 'no-card' ? 'Please add a card before then.' : 'Please update your card before then.'
}

function buildRetrySms(
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { failure, card, next }: { failure: ChargeFailure; card: SavedCard | null; next: Temporal.Instant },
): string {
  const { number, when } = formatPlanDates(deps, locked)
  const retryTime = when(next)
  if (failure === 'no-card')
    return chooseFittingSmsText(deps, (host) => [
      `there is no card to renew ${number} with. Add one by ${retryTime}: log in at ${host}`,
    ])
  if (failure === 'network')
    return chooseFittingSmsText(deps, (host) => [
      `we couldn't renew ${number} yet. You paid nothing. Next try ${retryTime}. More at ${host}`,
    ])
  const cardDescription = card ? `your ${cardNameInSentence(card)}` : 'your card'
  const shortCardDescription = card ? `card ${card.last_four}` : 'your card'
  return chooseFittingSmsText(deps, (host) =>
    failure === 'card-expired'
      ? [
          `${cardDescription} has expired, so ${number} isn't renewed yet. Update it by ${retryTime}: log in at ${host}`,
          `${shortCardDescription} has expired. To renew ${number}, update it by ${retryTime}. Log in at ${host}`,
        ]
      : [
          `we couldn't charge ${cardDescription} for ${number}. You paid nothing. Next try ${retryTime}. Check your card at ${host}`,
          `we couldn't charge ${shortCardDescription} for ${number}. You paid nothing. Next try ${retryTime}. Log in at ${host}`,
          `we couldn't charge ${shortCardDescription} for ${number}. Next try ${retryTime}. Log in at ${host}`,
        ],
  )
}

function buildFinalFailureSms(deps: OrderDeps, locked: LockedAutoRenewal): string {
  const { number, day, endsOn, lastDayIs } = formatPlanDates(deps, locked)
  const { schedule, now } = locked
  if (isBefore(schedule.expiresAt, now))
    return chooseFittingSmsText(deps, (host) => [
      `we couldn't renew ${number}, and it has expired. You paid nothing. Renew with any card: log in at ${host}`,
    ])
  const stopTimeText = lastDayIs.equals(day(now))
    ? `at ${appendZone('midnight tonight', deps.market.zone)}`
    : `on ${endsOn}`
  return chooseFittingSmsText(deps, (host) => [
    `we couldn't renew ${number}, so it stops ${stopTimeText}. You paid nothing. Renew with any card: log in at ${host}`,
    `we couldn't renew ${number}, so it stops ${stopTimeText}. You paid nothing. Renew: log in at ${host}`,
    `we couldn't renew ${number}. It stops ${stopTimeText}. Renew: log in at ${host}`,
  ])
}

function failureReasonSentence(failure: ChargeFailure, card: SavedCard | null): string {
  switch (failure) {
    case 'no-card':
      return cardProblemTexts['no-card']
    case 'card-expired':
      return 'your saved credit card has expired'
    case 'refused':
      return `the payment with your ${card ? cardNameInSentence(card) : 'saved credit card'} was declined`
    case 'no-funds':
      return `there is not enough money on your ${card ? cardNameInSentence(card) : 'saved credit card'}, or it is over its limit`
    case 'unconfirmed':
      return 'the payment could not be confirmed, so we cancelled it'
    case 'network':
      return 'the network could not add the next Prepay Plan'
    case 'missed':
      return 'it ended before the payment was made'
  }
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) <= 0
