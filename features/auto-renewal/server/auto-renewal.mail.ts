import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { getCommaAfterZone } from '#kit/contract/zone-name.ts'
import type { Trx } from '#kit/server/db.ts'
import type { AlertSettings } from '#features/alerts/alerts.contract.ts'
import { type OutboxMessage, type CopyableContent, chooseFittingSmsText } from '#features/messages/server/messages.ts'
import type { StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import { type CardProblem, getCardLabel, getCardName, type SavedCard } from './card.ts'
import {
  type MailRecipient,
  cardNameInSentence,
  buildCustomerMail,
  queueCustomerMail,
  queueTextMessage,
  createTextMessage,
  cardProblemTexts,
  updateCardLink,
  formatPlanDates,
  restoreStatedPlan,
} from './auto-renewal-message.ts'
import type { RenewalOffer } from './offer.ts'
import { buildCardReminderSms, buildEndReminderSms } from './plan-ends.mail.ts'
import { getStepKey, type LockedAutoRenewal } from './locked-auto-renewal.ts'

type NoticeRecipient = { user: MailRecipient; premise: string | null; channel: AlertSettings['before_end'] }
type NoticeDetails = {
  offer: RenewalOffer
  chargeAt: Temporal.Instant
  card: SavedCard | null
  trouble: CardProblem | null
}

export function buildNoticeMessages(
  deps: OrderDeps,
  locked: LockedAutoRenewal,
  { user, premise, channel }: NoticeRecipient,
  details: NoticeDetails,
): OutboxMessage[] {
  const { service } = locked
  const { offer, chargeAt, card, trouble } = details
  const { number, ends, endsOn, day, time } = formatPlanDates(deps, locked)
  const amount = formatPrice(offer.amountCents)
  const statedFacts = buildChargeFacts(deps, locked, details)
  const mail = buildCustomerMail(deps, user, {
    eventKey: `auto-renewal:notice:${getStepKey(locked)}`,
    subject: trouble
      ? `Your Prepay Plan for ${number} can’t renew yet`
      : `Your Prepay Plan for ${number} renews on ${ends}`,
    heading: trouble ? 'Your Prepay Plan can’t renew yet' : 'Your Prepay Plan renews soon',
    ...buildNoticeContent(deps, statedFacts),
    button: trouble
      ? updateCardLink(deps)
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${service.id}/` },
    stated: statedFacts,
  })
  if (premise === null || (!trouble && channel === 'email')) return [mail]
  const smsText =
    trouble || !card
      ? buildCardReminderSms(deps, number, { card, chargeAt, today: day(locked.now) })
      : chooseFittingSmsText(deps, (host) => [
          `${number} renews on ${endsOn}. We charge ${amount} to your ${cardNameInSentence(card)} on ${time(chargeAt)}. ` +
            `Change it before then at ${host}`,
          `${number} renews on ${endsOn}: ${amount} from card ${card.last_four} on ${time(chargeAt)}. Change it at ${host}`,
          `${number} renews on ${endsOn}: ${amount} on ${time(chargeAt)}. Change it at ${host}`,
        ])
  return [
    mail,
    createTextMessage(service, premise, { event: `notice:${getStepKey(locked)}`, words: smsText, byDay: true }),
  ]
}

const buildChargeFacts = (
  { market }: OrderDeps,
  { service: { msisdn }, schedule, now }: LockedAutoRenewal,
  { offer: { product, amountCents }, chargeAt, card, trouble }: NoticeDetails,
): StatedFacts<'charge'> => ({
  of: 'charge',
  at: now.toString(),
  msisdn,
  plan: product.title,
  ends_at: schedule.expiresAt.toString(),
  cents: amountCents,
  gst_cents: gstOf(amountCents, market.taxPart),
  charge_at: chargeAt.toString(),
  card: getCardLabel(card),
  trouble,
})

/** Uses only the stated facts, so that a copy of the notice is identical to the notice. */
export function buildNoticeContent(deps: OrderDeps, stated: StatedFacts<'charge'>): CopyableContent {
  const { plan, cents, gst_cents: gstCents, card, trouble } = stated
  const { number, ends, endsOn, lastDay, time } = formatPlanDates(deps, restoreStatedPlan(stated))
  const chargeAt = Temporal.Instant.from(stated.charge_at)
  const amount = formatPrice(cents)
  const to = card ? ` to your ${cardNameInSentence(card)}` : ''
  const comma = getCommaAfterZone(deps.market.zone)
  return {
    paragraphs: [
      trouble
        ? `your Prepay Plan for ${number} is due to renew on ${endsOn}, and we’re due to charge ${amount} for it on ${time(chargeAt)}. ` +
          `But ${cardProblemTexts[trouble]}. Please ${trouble === 'no-card' ? 'add a card' : 'update it'} before then, ` +
          `or your plan expires on ${endsOn}. Its last day is ${lastDay}.`
        : `your Prepay Plan for ${number} renews on ${endsOn}. ${lastDay} is the last day of your current plan. ` +
          `On ${time(chargeAt)}${comma} we will charge ${amount}${to}, and your next Prepay Plan starts when this one ends.`,
      'If you don’t want this, open your dashboard before then and choose Disable Auto Renewal in this Phone Number’s menu.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', plan],
      ['Starts on', ends],
      ['Charged on', time(chargeAt)],
      ['Amount', `${amount} ${deps.market.currency}, including ${formatPrice(gstCents)} GST`],
      ...(card ? [['Card', getCardName(card)] satisfies [string, string]] : []),
    ],
  }
}

export async function notifyPlanWithdrawn(trx: Trx, deps: OrderDeps, locked: LockedAutoRenewal): Promise<void> {
  const { schedule, now } = locked
  const { number, ends, endsOn, lastDay, lastDayIs, day } = formatPlanDates(deps, locked)
  await queueCustomerMail(trx, deps, locked, {
    eventKey: `auto-renewal:withdrawn:${getStepKey(locked)}`,
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
  const smsText = buildEndReminderSms(deps, number, { daysLeft, lastDay: lastDayIs, today })
  await queueTextMessage(trx, deps, locked, { event: `withdrawn:${getStepKey(locked)}`, words: smsText, byDay: true })
}
