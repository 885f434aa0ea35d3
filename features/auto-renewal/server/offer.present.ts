import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { getPlanDataOrTitle } from '#kit/contract/plans.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { dayOf, formatHour, getLastDayBefore } from '#kit/server/relative-day.ts'
import { getMidnight } from '#kit/server/plan-period.ts'
import { type AutoRenewalOffer, autoRenewalMessages } from '../auto-renewal.contract.ts'
import { getCardName, findCardProblem } from './card.ts'
import type { PlanStatus, PlanStatusContext } from './plan-status.ts'
import { cardExpiryText, formatFullDate, withdrawnPlanSentence } from './plan-status.present.ts'

type OfferRow = AutoRenewalOffer['rows'][number]

/**
 * A charge within this many minutes is described as immediate. That covers the 10-minute wait after a late notice, plus
 * a margin.
 */
const immediateChargeMinutes = 15
const paymentMethodPath = '/account/payment-method/'

export function presentOffer(
  planStatus: PlanStatus,
  rules: PlanStatusContext,
  { number, shortId }: { number: string; shortId: string },
): AutoRenewalOffer {
  const { offer, queued, card, product } = planStatus
  const introductionText = `We’ll renew ${number} for you when ${queued ? 'your next' : 'this'} plan ends.`
  if (!offer)
    return {
      lead: withdrawnPlanSentence(product),
      rows: [],
      promises: [],
      trouble: null,
      can_enable: false,
      button: { text: 'Choose my next Prepay Plan', url: `/services/renew/${shortId}/` },
    }
  const isCardValid = findCardProblem(card, planStatus.now, rules.market.zone) === null
  return {
    lead: introductionText,
    rows: [...presentOfferRows(planStatus, rules), buildCardRow(planStatus)],
    promises: termsSentences(planStatus, rules),
    trouble: isCardValid
      ? futureCardProblem(planStatus)
      : card
        ? autoRenewalMessages.cardExpired
        : autoRenewalMessages.noCard,
    can_enable: isCardValid,
    button: isCardValid ? null : { text: card ? 'Update card' : 'Add credit card', url: paymentMethodPath },
  }
}

const futureCardProblem = ({ card, trouble, today }: PlanStatus): string | null =>
  card && trouble === 'card-expired'
    ? `${getCardName(card)} ${cardExpiryText(card.expiry, today)}, before the charge. Update it, or your plan can’t renew.`
    : null

export function presentOfferRows(
  { offer, queued, endsOn, charge, now, today }: PlanStatus,
  { market }: PlanStatusContext,
): OfferRow[] {
  if (!offer) return []
  const { product, amountCents } = offer
  const startsOn = queued?.endsOn ?? endsOn
  const lastDay = getLastDayBefore(getMidnight(startsOn.add({ days: product.length_days }), market.zone), market.zone)
  const isImmediate = charge.at.since(now).total('minutes') <= immediateChargeMinutes
  const originalPriceNote = product.price_cents > amountCents ? ` instead of ${formatPrice(product.price_cents)}` : ''
  const formattedGst = formatPrice(gstOf(amountCents, market.taxPart))
  return [
    createOfferRow('Next plan', `${getPlanDataOrTitle(product)}, ${product.length_days} days`, {
      note: `${formatFullDate(startsOn)} to ${formatFullDate(lastDay)}`,
    }),
    createOfferRow('You pay', `${formatPrice(amountCents)}${originalPriceNote}`, {
      note: `${market.currency}, including ${formattedGst} GST`,
    }),
    createOfferRow(
      'Charged',
      isImmediate ? 'today, in about 10 minutes' : formatChargeTime(charge.at, today, market.zone),
      {
        note: product.next_product_id ? null : `then every ${product.length_days} days`,
      },
    ),
  ]
}

function formatChargeTime(at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string {
  const day = dayOf(at, zone)
  return appendZone(`${day.equals(today) ? 'today' : formatFullDate(day)}, ${formatHour(at, zone)}`, zone)
}

const buildCardRow = ({ card }: PlanStatus): OfferRow =>
  createOfferRow(
    'Card',
    card ? getCardName(card) : 'No saved card',
    card ? { link: { text: 'Change', url: paymentMethodPath } } : {},
  )

function termsSentences({ notice, now, charge }: PlanStatus, { market: { zone } }: PlanStatusContext): string[] {
  const isNoticeDue = Temporal.Instant.compare(notice.at, now) <= 0
  const retryTimes = charge.retries.map((at) => formatHour(at, zone))
  return [
    isNoticeDue
      ? 'We email you the exact amount straight away, and 3 days before every later charge.'
      : 'We email you the exact amount 3 days before every charge.',
    'You can turn auto-renewal off any time up to the charge, at no cost.',
    ...(retryTimes.length > 0
      ? [
          `If the card fails we try again at ${appendZone(`${retryTimes.join(' and ')} that day`, zone)}, and tell you each time.`,
        ]
      : []),
  ]
}

const createOfferRow = (
  label: string,
  value: string,
  { note = null, link = null }: Partial<Pick<OfferRow, 'note' | 'link'>> = {},
): OfferRow => ({
  label,
  value,
  note,
  link,
})
