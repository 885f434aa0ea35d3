import type { Trx } from '#kit/server/db.ts'
import { textOf } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { Failure } from './auto-renewal.store.ts'
import type { SavedCard } from './card.ts'
import { cardWords, sendLetter, sendText, troubles, updateCard, wordsOf } from './letter.ts'
import type { LockedAutoRenewal } from './turn.ts'

type ChargeFailure = Exclude<Failure, 'withdrawn'>

export type FailedCharge = {
  /** Identifies the attempt, because each attempt has one mail. */
  event: string
  failure: ChargeFailure
  card: SavedCard | null
  next: Temporal.Instant | null
}

export async function sendFailure(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { event, failure, card, next }: FailedCharge,
): Promise<void> {
  const { schedule, now } = locked
  const { number, ends, endsOn, lastDay, time } = wordsOf(deps, locked)
  const hasEnded = isBefore(schedule.expiresAt, now)
  const renew = `${deps.publicUrl}/services/renew/${schedule.shortId}/`
  await sendLetter(trx, deps, locked, {
    eventKey: `auto-renewal:failed:${event}`,
    subject:
      next || hasEnded
        ? `We could not renew your Prepay Plan for ${number}`
        : `Your Prepay Plan for ${number} expires on ${ends}`,
    heading: 'We could not renew your Prepay Plan',
    paragraphs: [
      `we could not renew your Prepay Plan for ${number}: ${reasonOf(failure, card)}. You have not been charged.`,
      next
        ? `We will try again ${isBefore(next, now) ? 'shortly' : `on ${time(next)}`}. ` +
          `${remedyOf(failure)} renew your Prepay Plan yourself: ${renew}`
        : 'We won’t try again, and auto-renewal is now off. ' +
          `${hasEnded ? `Your Prepay Plan expired on ${endsOn}` : `Your Prepay Plan expires on ${endsOn}. Its last day is ${lastDay}`}. ` +
          `${failure === 'no-card' ? 'Add a card' : 'Update your card'} and renew it yourself to keep using your Phone Number: ${renew}`,
    ],
    rows: [
      ['Phone number', number],
      [hasEnded ? 'Expired on' : 'Expires on', ends],
    ],
    button: updateCard(deps),
  })
  const words = next ? tryAgainText(deps, locked, { failure, card, next }) : lastTryText(deps, locked)
  if (!next || !isBefore(next, now))
    await sendText(trx, deps, locked, { event: `failed:${event}`, words, byDay: hasEnded })
}

function remedyOf(failure: ChargeFailure): string {
  if (failure === 'network') return 'You don’t need to do anything, but you can'
  return failure === 'no-card' ? 'Please add one before then, or' : 'Please update your card before then, or'
}

function tryAgainText(
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { failure, card, next }: { failure: ChargeFailure; card: SavedCard | null; next: Temporal.Instant },
): string {
  const { number, when } = wordsOf(deps, locked)
  const at = when(next)
  if (failure === 'no-card')
    return textOf(deps, (host) => [`there is no card to renew ${number} with. Add one by ${at}: log in at ${host}`])
  if (failure === 'network')
    return textOf(deps, (host) => [
      `we couldn't renew ${number} yet. You paid nothing. Next try ${at}. More at ${host}`,
    ])
  const which = card ? `your ${cardWords(card)}` : 'your card'
  const short = card ? `card ${card.last_four}` : 'your card'
  return textOf(deps, (host) =>
    failure === 'card-expired'
      ? [`${which} has expired, so ${number} isn't renewed yet. Update it by ${at}: log in at ${host}`]
      : [
          `we couldn't charge ${which} for ${number}. You paid nothing. Next try ${at}. Check your card at ${host}`,
          `we couldn't charge ${short} for ${number}. You paid nothing. Next try ${at}. Log in at ${host}`,
        ],
  )
}

function lastTryText(deps: OrderDeps, locked: LockedAutoRenewal): string {
  const { number, day, endsOn, lastDayIs } = wordsOf(deps, locked)
  const { schedule, now } = locked
  if (isBefore(schedule.expiresAt, now))
    return textOf(deps, (host) => [
      `we couldn't renew ${number}, and it has expired. You paid nothing. Renew with any card: log in at ${host}`,
    ])
  const stops = lastDayIs.equals(day(now)) ? 'at midnight tonight' : `on ${endsOn}`
  return textOf(deps, (host) => [
    `we couldn't renew ${number}, so it stops ${stops}. You paid nothing. Renew with any card: log in at ${host}`,
    `we couldn't renew ${number}, so it stops ${stops}. You paid nothing. Renew: log in at ${host}`,
  ])
}

function reasonOf(failure: ChargeFailure, card: SavedCard | null): string {
  switch (failure) {
    case 'no-card':
      return troubles['no-card']
    case 'card-expired':
      return 'your saved credit card has expired'
    case 'refused':
      return `the payment with your ${card ? cardWords(card) : 'saved credit card'} was declined`
    case 'no-funds':
      return `there is not enough money on your ${card ? cardWords(card) : 'saved credit card'}, or it is over its limit`
    case 'unconfirmed':
      return 'the payment could not be confirmed, so we cancelled it'
    case 'network':
      return 'the network could not add the next Prepay Plan'
    case 'missed':
      return 'it ended before the payment was made'
  }
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) <= 0
