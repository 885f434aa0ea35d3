import { formatPrice, gstOf } from '#kit/contract/money.ts'
import type { Trx } from '#kit/server/db.ts'
import type { Alerts } from '#features/alerts/alerts.contract.ts'
import { type Letter, textOf } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { type CardTrouble, nameOfCard, type SavedCard } from './card.ts'
import {
  type Addressee,
  cardWords,
  letterTo,
  sendLetter,
  sendText,
  textAbout,
  troubles,
  updateCard,
  wordsOf,
} from './letter.ts'
import type { Offer } from './offer.ts'
import { cardText, endText } from './plan-ends.mail.ts'
import { stepKey, type LockedAutoRenewal } from './turn.ts'

type Told = { user: Addressee; premise: string | null; channel: Alerts['before_end'] }
type Notice = { offer: Offer; chargeAt: Temporal.Instant; card: SavedCard | null; trouble: CardTrouble | null }

export function noticeLetters(
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { user, premise, channel }: Told,
  { offer, chargeAt, card, trouble }: Notice,
): Letter[] {
  const { service } = locked
  const { product, amountCents } = offer
  const { number, ends, endsOn, lastDay, day, time } = wordsOf(deps, locked)
  const amount = formatPrice(amountCents)
  const to = card ? ` to your ${cardWords(card)}` : ''
  const mail = letterTo(deps, user, {
    eventKey: `auto-renewal:notice:${stepKey(locked)}`,
    subject: trouble
      ? `Your Prepay Plan for ${number} can’t renew yet`
      : `Your Prepay Plan for ${number} renews on ${ends}`,
    heading: trouble ? 'Your Prepay Plan can’t renew yet' : 'Your Prepay Plan renews soon',
    paragraphs: [
      trouble
        ? `your Prepay Plan for ${number} is due to renew on ${endsOn}, and we’re due to charge ${amount} for it on ${time(chargeAt)}. ` +
          `But ${troubles[trouble]}. Please ${trouble === 'no-card' ? 'add one' : 'update it'} before then, ` +
          `or your plan expires on ${endsOn}. Its last day is ${lastDay}.`
        : `your Prepay Plan for ${number} renews on ${endsOn}. ${lastDay} is the last day of your current plan. On ${time(chargeAt)} ` +
          `we will charge ${amount}${to}, and your next Prepay Plan starts when this one ends.`,
      'If you don’t want this, open your dashboard before then and choose Disable Auto Renewal in this Phone Number’s menu.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', product.title],
      ['Starts on', ends],
      ['Charged on', time(chargeAt)],
      [
        'Amount',
        `${amount} ${deps.market.currency}, including ${formatPrice(gstOf(amountCents, deps.market.taxPart))} GST`,
      ],
      ...(card ? [['Card', nameOfCard(card)] satisfies [string, string]] : []),
    ],
    button: trouble
      ? updateCard(deps)
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${service.id}/` },
  })
  if (premise === null || (!trouble && channel === 'email')) return [mail]
  const words =
    trouble || !card
      ? cardText(deps, number, { card, chargeAt, today: day(locked.now) })
      : textOf(deps, (host) => [
          `${number} renews on ${endsOn}. We charge ${amount} to your ${cardWords(card)} on ${time(chargeAt)}. ` +
            `Change it before then at ${host}`,
          `${number} renews on ${endsOn}: ${amount} from card ${card.last_four} on ${time(chargeAt)}. Change it at ${host}`,
        ])
  return [mail, textAbout(service, premise, { event: `notice:${stepKey(locked)}`, words, byDay: true })]
}

export async function sendWithdrawn(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<void> {
  const { schedule, now } = locked
  const { number, ends, endsOn, lastDay, lastDayIs, day } = wordsOf(deps, locked)
  await sendLetter(trx, deps, locked, {
    eventKey: `auto-renewal:withdrawn:${stepKey(locked)}`,
    subject: `Please choose your next Prepay Plan for ${number}`,
    heading: 'Your next Prepay Plan is no longer available',
    paragraphs: [
      `the Prepay Plan that ${number} was due to renew with is no longer available. We won’t charge you, ` +
        'and auto-renewal is now off.',
      `Your Prepay Plan expires on ${endsOn}. Its last day is ${lastDay}. Please choose another plan to keep using your Phone Number.`,
    ],
    rows: [
      ['Phone number', number],
      ['Expires on', ends],
    ],
    button: { text: 'Choose my next Prepay Plan', url: `${deps.publicUrl}/services/renew/${schedule.shortId}/` },
  })
  const today = day(now)
  const daysLeft = today.until(lastDayIs, { largestUnit: 'days' }).days + 1
  const words = endText(deps, number, { daysLeft, lastDay: lastDayIs, today })
  await sendText(trx, deps, locked, { event: `withdrawn:${stepKey(locked)}`, words, byDay: true })
}
