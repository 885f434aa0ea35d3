import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, type NewMail, queueMail } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { CardTrouble, SavedCard } from './card.ts'
import type { Offer } from './offer.ts'
import { stepKey, type LockedAutoRenewal } from './turn.ts'

/** Why a charge came to nothing. */
export type Failure = CardTrouble | 'refused' | 'unconfirmed' | 'network' | 'missed'

/** A charge that came to nothing, as the customer is told. */
export type FailedCharge = {
  /** Names the attempt: one mail for each. */
  event: string
  failure: Failure
  card: SavedCard | null
  /** When we try again; null: never, and the plan expires on its day. */
  next: Temporal.Instant | null
}

type Notice = { offer: Offer; chargeAt: Temporal.Instant; card: SavedCard | null; trouble: CardTrouble | null }

/** What will be charged, when, and to which card; and how to have it otherwise. */
export async function sendNotice(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { offer, chargeAt, card, trouble }: Notice,
): Promise<void> {
  const { service, schedule } = locked
  const { product, amountCents } = offer
  const { zone } = deps.market
  const number = formatNational(service.msisdn)
  const ends = formatDate(schedule.expiresAt, zone)
  const amount = formatPrice(amountCents)
  const to = card ? ` to your ${endingIn(card)}` : ''
  await send(trx, deps, locked, {
    eventKey: `auto-renewal:notice:${stepKey(locked)}`,
    subject: `Your Prepay Plan for ${number} renews on ${ends}`,
    heading: 'Your Prepay Plan renews soon',
    paragraphs: [
      `your Prepay Plan for ${number} ends on ${ends}. On ${dayAndTime(chargeAt, zone)} we will charge ` +
        `${amount}${to}, and your next Prepay Plan starts when this one ends.`,
      ...(trouble ? [`But ${troubles[trouble]}. Please update it before then.`] : []),
      'If you do not want this, open your dashboard before that time, and choose Disable Auto Renewal in the menu of this Phone Number.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', product.title],
      ['Starts on', ends],
      ['Charged on', dayAndTime(chargeAt, zone)],
      [
        'Amount',
        `${amount} ${deps.market.currency}, including ${formatPrice(gstOf(amountCents, deps.market.taxPart))} GST`,
      ],
      ...(card ? [['Card', `**** ${card.last_four}`] satisfies [string, string]] : []),
    ],
    button: trouble
      ? updateCard(deps)
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${service.id}/` },
  })
}

/** A charge came to nothing: why, what we do next, and what the customer can do. */
export async function sendFailure(
  trx: Trx,
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { event, failure, card, next }: FailedCharge,
): Promise<void> {
  const { service, schedule, now } = locked
  const { zone } = deps.market
  const number = formatNational(service.msisdn)
  const ends = formatDate(schedule.expiresAt, zone)
  const hasEnded = isBefore(schedule.expiresAt, now)
  const renew = `${deps.publicUrl}/services/renew/${schedule.shortId}/`
  await send(trx, deps, locked, {
    eventKey: `auto-renewal:failed:${event}`,
    subject:
      next || hasEnded
        ? `We could not renew your Prepay Plan for ${number}`
        : `Your Prepay Plan for ${number} expires on ${ends}`,
    heading: 'We could not renew your Prepay Plan',
    paragraphs: [
      `we could not renew your Prepay Plan for ${number}: ${reasonOf(failure, card)}. You have not been charged.`,
      next
        ? `We will try again ${isBefore(next, now) ? 'shortly' : `on ${dayAndTime(next, zone)}`}. ` +
          `${failure === 'network' ? 'You do not have to do anything' : 'Please update your card before then'}, ` +
          `or renew your Prepay Plan yourself: ${renew}`
        : 'We will not try again, and Auto Renewal is switched off. ' +
          `${hasEnded ? `Your Prepay Plan expired on ${ends}` : `Your Prepay Plan expires on ${ends}`}. ` +
          `Update your card and renew it yourself to go on using your Phone Number: ${renew}`,
    ],
    rows: [
      ['Phone number', number],
      [hasEnded ? 'Expired on' : 'Expires on', ends],
    ],
    button: updateCard(deps),
  })
}

/** The plan that would come next is not sold any more: nothing is charged, and the customer chooses another. */
export async function sendWithdrawn(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<void> {
  const { service, schedule } = locked
  const number = formatNational(service.msisdn)
  const ends = formatDate(schedule.expiresAt, deps.market.zone)
  await send(trx, deps, locked, {
    eventKey: `auto-renewal:withdrawn:${stepKey(locked)}`,
    subject: `Please choose your next Prepay Plan for ${number}`,
    heading: 'Your next Prepay Plan is no longer available',
    paragraphs: [
      `the Prepay Plan that your ${number} would be renewed with is no longer available. We will not charge you, ` +
        'and Auto Renewal is switched off.',
      `Your Prepay Plan expires on ${ends}. Please choose another one to go on using your Phone Number.`,
    ],
    rows: [
      ['Phone number', number],
      ['Expires on', ends],
    ],
    button: { text: 'Choose my next Prepay Plan', url: `${deps.publicUrl}/services/renew/${schedule.shortId}/` },
  })
}

async function send(
  trx: Trx,
  deps: OrderDeps,
  { service }: LockedAutoRenewal,
  { paragraphs: [first = '', ...more], ...letter }: Omit<NewMail, 'to'>,
): Promise<void> {
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  await queueMail(trx, deps, { ...letter, to: user, paragraphs: [`${greet(user.first_name)}, ${first}`, ...more] })
}

const troubles = {
  'no-card': 'there is no credit card saved in your account',
  'card-expired': 'your saved credit card has expired by then',
} as const

function reasonOf(failure: Failure, card: SavedCard | null): string {
  switch (failure) {
    case 'no-card':
      return troubles['no-card']
    case 'card-expired':
      return 'your saved credit card has expired'
    case 'refused':
      return `the payment with your ${card ? endingIn(card) : 'saved credit card'} was declined`
    case 'unconfirmed':
      return 'the payment could not be confirmed, so we cancelled it'
    case 'network':
      return 'the network could not add the next Prepay Plan'
    case 'missed':
      return 'it ended before the payment was made'
  }
}

const endingIn = (card: SavedCard): string => `credit card ending in ${card.last_four}`

const updateCard = ({ publicUrl }: OrderDeps) => ({
  text: 'Update my payment method',
  url: `${publicUrl}/account/payment-method/`,
})

const dayAndTime = (at: Temporal.Instant, zone: string): string =>
  `${formatDate(at, zone)} at ${at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })}`

const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => Temporal.Instant.compare(one, other) <= 0
