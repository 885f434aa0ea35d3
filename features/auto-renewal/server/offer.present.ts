import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { formatData } from '#kit/contract/plans.ts'
import { dayOf, dayWords, hourWords, lastDayBefore, shortDay } from '#kit/server/day-words.ts'
import { midnight } from '#kit/server/plan-period.ts'
import { type AutoRenewalOffer, autoRenewalMessages } from '../auto-renewal.contract.ts'
import { nameOfCard, troubleOf } from './card.ts'
import type { Outlook, Rules } from './outlook.ts'
import { expiryOf } from './outlook.present.ts'

type Row = AutoRenewalOffer['rows'][number]

/** Minutes within which a due charge counts as immediate: the time to read the notice, and a margin. */
const soonMinutes = 15
const paymentMethod = '/account/payment-method/'

export function presentOffer(
  outlook: Outlook,
  rules: Rules,
  { number, shortId }: { number: string; shortId: string },
): AutoRenewalOffer {
  const { offer, queued, card, product } = outlook
  const lead = `We’ll renew ${number} for you when ${queued ? 'your next' : 'this'} plan ends.`
  if (!offer)
    return {
      lead: `${formatData(product.data_gb)} for ${product.length_days} days is no longer sold, so we can’t renew it for you.`,
      rows: [],
      promises: [],
      trouble: null,
      can_enable: false,
      button: { text: 'Choose my next Prepay Plan', url: `/services/renew/${shortId}/` },
    }
  const isCardGood = troubleOf(card, outlook.now, rules.market.zone) === null
  return {
    lead,
    rows: [...termsOf(outlook, rules), cardRow(outlook)],
    promises: promisesOf(outlook, rules),
    trouble: isCardGood ? troubleLater(outlook) : card ? autoRenewalMessages.cardExpired : autoRenewalMessages.noCard,
    can_enable: isCardGood,
    button: isCardGood ? null : { text: card ? 'Update card' : 'Add credit card', url: paymentMethod },
  }
}

const troubleLater = ({ card, trouble, today }: Outlook): string | null =>
  card && trouble === 'card-expired'
    ? `${nameOfCard(card)} ${expiryOf(card.expiry, today)}, before the charge. Update it, or your plan can’t renew.`
    : null

export function termsOf({ offer, queued, endsOn, charge, now, today }: Outlook, { market }: Rules): Row[] {
  if (!offer) return []
  const { product, amountCents } = offer
  const startsOn = queued?.endsOn ?? endsOn
  const last = lastDayBefore(midnight(startsOn.add({ days: product.length_days }), market.zone), market.zone)
  const isSoon = charge.at.since(now).total('minutes') <= soonMinutes
  const instead = product.price_cents > amountCents ? ` instead of ${formatPrice(product.price_cents)}` : ''
  const gst = formatPrice(gstOf(amountCents, market.taxPart))
  return [
    row('Next plan', `${formatData(product.data_gb)}, ${product.length_days} days`, {
      note: `${shortDay(startsOn, startsOn)} to ${shortDay(last, startsOn)} ${last.year}`,
    }),
    row('You pay', `${formatPrice(amountCents)}${instead}`, { note: `${market.currency}, including ${gst} GST` }),
    row('Charged', isSoon ? 'today, in about 10 minutes' : whenCharged(charge.at, today, market.zone), {
      note: product.next_product_id ? null : `then every ${product.length_days} days`,
    }),
  ]
}

function whenCharged(at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string {
  const day = dayOf(at, zone)
  return `${day.equals(today) ? 'today' : `${dayWords(day, day)} ${day.year}`}, ${hourWords(at, zone)}`
}

const cardRow = ({ card }: Outlook): Row =>
  row('Card', card ? nameOfCard(card) : 'No saved card', card ? { link: { text: 'Change', url: paymentMethod } } : {})

function promisesOf({ notice, now, charge }: Outlook, { market: { zone } }: Rules): string[] {
  const isNow = Temporal.Instant.compare(notice.at, now) <= 0
  const hours = charge.retries.map((at) => hourWords(at, zone))
  return [
    isNow
      ? 'We email you the exact amount straight away, and 3 days before every later charge.'
      : 'We email you the exact amount 3 days before every charge.',
    'Turn it off any time up to the charge, at no cost.',
    ...(hours.length > 0
      ? [`If the card fails we try again at ${hours.join(' and ')} that day, and tell you each time.`]
      : []),
  ]
}

const row = (
  label: string,
  value: string,
  { note = null, link = null }: Partial<Pick<Row, 'note' | 'link'>> = {},
): Row => ({
  label,
  value,
  note,
  link,
})
