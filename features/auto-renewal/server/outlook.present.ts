import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatData } from '#kit/contract/plans.ts'
import { dayOf, dayWords, hourWords, shortDay } from '#kit/server/day-words.ts'
import { keptMessages, type OutlookView } from '#features/services/services.contract.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { nameOfCard } from './card.ts'
import type { Outlook, Rules } from './outlook.ts'

type Said = Pick<OutlookView, 'tone' | 'title' | 'text' | 'line' | 'badge'>
type Say = (outlook: Outlook, rules: Rules) => Said

/** `**strong**` marks emphasis. */
export function presentOutlook(outlook: Outlook, rules: Rules): OutlookView {
  return {
    state: outlook.state,
    ...sentences[outlook.state](outlook, rules),
    card_button: cardButtonOf(outlook),
    card_charge: cardChargeOf(outlook, rules),
    auto_renewal_note: autoRenewalNoteOf(outlook),
    ...nextPlanOf(outlook),
    last_day: outlook.lastDay.toString(),
    days_left: outlook.daysLeft,
  }
}

function nextPlanOf({ state, queued }: Outlook): Pick<OutlookView, 'can_cancel_next_plan' | 'change_next_plan'> {
  if (state !== 'next_plan_paid' || !queued?.canCancel) return { can_cancel_next_plan: false, change_next_plan: null }
  const { orderCode, paidCents, byVoucher, product } = queued
  const line = byVoucher
    ? `Your ${product.title} is cancelled once the new one is paid for. Its voucher code then works again, unless it is no longer valid.`
    : `Your ${product.title} of ${formatPrice(paidCents)} is refunded in full once the new one is paid for.`
  return { can_cancel_next_plan: true, change_next_plan: { instead_of: orderCode, line } }
}

/** A day in a title, in the date format of the specification. */
const titleDay = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

function cardButtonOf({ state, card, failure }: Outlook): OutlookView['card_button'] {
  const helps =
    state === 'charge_failed' || state === 'card_trouble' || (state === 'gave_up' && failure?.reason !== 'network')
  if (!helps) return null
  return card ? 'Update card' : 'Add credit card'
}

function cardChargeOf(
  { state, isRenewing, offer, card, trouble, charge, today }: Outlook,
  { market: { zone } }: Rules,
): OutlookView['card_charge'] {
  if (!isRenewing || !offer || !card || trouble || state === 'charging' || state === 'expired') return null
  const day = dayOf(charge.at, zone)
  const when = Temporal.PlainDate.compare(day, today) > 0 ? `on ${dayWords(day, today)}` : 'today'
  return `${when}: ${formatPrice(offer.amountCents)}`
}

const canEnable: ReadonlySet<Outlook['state']> = new Set(['ends', 'ends_soon', 'last_day'])

function autoRenewalNoteOf({ state, offer }: Outlook): string | null {
  if (!offer) return null
  const { amountCents, product } = offer
  const isCheaper = amountCents < product.price_cents
  const [automatic, byHand] = [amountCents, product.price_cents].map((cents) => `**${formatPrice(cents)}**`)
  if (canEnable.has(state))
    return isCheaper ? `Your next plan costs ${automatic} with auto-renewal instead of ${byHand}.` : null
  const instead =
    (isCheaper ? `If you renew manually with a card, you pay ${byHand} instead of ${automatic}. ` : '') +
    'Auto-renewal continues after a plan you renew manually.'
  switch (state) {
    case 'renews':
      return `You don’t need to do anything. ${instead}`
    case 'charging':
      return 'You don’t need to do anything.'
    case 'charge_failed':
    case 'card_trouble':
      return instead
    default:
      return null
  }
}

const plan = ({ product }: { product: ProductRow }, lengthDays: number): string =>
  `${formatData(product.data_gb)}, ${lengthDays} days`
const lastDay = ({ lastDay: day, today, daysLeft }: Outlook): string => (daysLeft <= 1 ? 'today' : dayWords(day, today))
const ends = ({ endsOn }: Outlook): string => `Plan expires on ${titleDay(endsOn)}`
const endLine = ({ endsOn, today }: Outlook): string => `Expires on ${shortDay(endsOn, today)}`

function moment(at: Temporal.Instant, { today }: Outlook, { market: { zone } }: Rules): string {
  const day = dayOf(at, zone)
  return `${hourWords(at, zone)} ${day.equals(today) ? 'today' : `on ${dayWords(day, today)}`}`
}

const until = (outlook: Outlook): string =>
  outlook.daysLeft <= 1 ? '**midnight tonight**' : `the end of **${lastDay(outlook)}**`

const expiring = (said: Omit<Said, 'tone' | 'line' | 'badge'> & Partial<Said>, outlook: Outlook): Said => ({
  tone: 'bad',
  line: endLine(outlook),
  badge: null,
  ...said,
})

const sentences: Record<Outlook['state'], Say> = {
  expired: (outlook, { numberKeptDays }) => ({
    tone: 'bad',
    title: `Prepay Plan Expired on ${titleDay(outlook.endsOn)}!`,
    text: [
      keptMessages.reserved(numberKeptDays),
      keptMessages.lastDay(`**${dayWords(outlook.numberKeptUntil, outlook.today)}**`),
      'Renew a Prepay Plan to keep your Phone Number.',
    ].join('\n'),
    line: `Renew by ${dayWords(outlook.numberKeptUntil, outlook.today)} to keep it`,
    badge: null,
  }),

  next_plan_paid: (outlook) => {
    const { queued, today, isRenewing } = outlook
    if (!queued) throw new Error('no plan waits')
    const after = isRenewing
      ? 'Auto-renewal continues after it.'
      : `Auto-renewal is off, so that plan expires on ${titleDay(queued.endsOn)}.`
    return {
      tone: 'good',
      title: `Next plan starts on ${titleDay(queued.startsOn)}`,
      text:
        `**${plan(queued, queued.lengthDays)}**, paid on ${shortDay(queued.paidOn, today)}. ` +
        `It starts automatically when this plan ends.${cancelling(queued, today)} ${after}`,
      line: `Next plan ${shortDay(queued.startsOn, today)}, paid`,
      badge: null,
    }
  },

  next_plan_cancelling: (outlook) => ({
    tone: 'calm',
    title: 'We’re cancelling your next plan',
    text:
      'The network still has to confirm it. You don’t need to do anything. We’ll email you when it’s cancelled ' +
      `and return what you paid. Your current plan works as usual until ${titleDay(outlook.endsOn)}.`,
    line: 'Next plan is being cancelled',
    badge: null,
  }),

  charging: (outlook) => ({
    tone: 'calm',
    title: 'We’re renewing your plan',
    text: `Your payment is being processed. Your next plan starts on ${titleDay(outlook.endsOn)}, when this one ends.`,
    line: `Renews on ${shortDay(outlook.endsOn, outlook.today)}`,
    badge: null,
  }),

  charge_failed: (outlook, rules) => {
    const [next, ...more] = [outlook.charge.at, ...outlook.charge.retries]
    const tries = [moment(next!, outlook, rules), ...more.map((at) => moment(at, outlook, rules))]
    const isLastDay = outlook.daysLeft <= 1
    return expiring(
      {
        title: failureTitle(outlook),
        text:
          'You haven’t been charged. ' +
          `We’ll try again at **${tries[0]}**${tries[1] ? `, then at ${tries.slice(1).join(', then at ')}` : ''}` +
          `${withWhich(outlook)}. If ${tries.length > 1 ? `${tries.length === 2 ? 'both' : 'all'} fail` : 'that fails'}, ` +
          `your plan expires on ${titleDay(outlook.endsOn)}: ` +
          `${isLastDay ? 'today is its last day' : `${lastDay(outlook)} is its last day`}.`,
        badge: { text: 'Payment failed', tone: 'bad' },
      },
      outlook,
    )
  },

  card_trouble: (outlook, rules) => {
    const { card, trouble, charge } = outlook
    const before = moment(charge.at, outlook, rules)
    return expiring(
      {
        title: 'Your plan can’t renew yet',
        text:
          trouble === 'no-card' || !card
            ? `There is no card to charge. Add one before **${before}**, or your plan expires on ${titleDay(outlook.endsOn)}.`
            : `${nameOfCard(card)} ${expiryOf(card.expiry, outlook.today)}. Update it before **${before}**, ` +
              `or your plan expires on ${titleDay(outlook.endsOn)}.`,
        badge: { text: trouble === 'no-card' ? 'No card' : 'Card expired', tone: 'bad' },
      },
      outlook,
    )
  },

  gave_up: (outlook) =>
    expiring(
      {
        title: ends(outlook),
        text: `${gaveUpBecause(outlook)} Auto-renewal is off. Renew before ${until(outlook)} to stay connected.`,
        badge: { text: 'Payment failed', tone: 'bad' },
      },
      outlook,
    ),

  withdrawn: (outlook) =>
    expiring(
      {
        tone: 'soon',
        title: 'Choose your next plan',
        text:
          `${formatData(outlook.product.data_gb)} for ${outlook.product.length_days} days is no longer sold, ` +
          `so we can’t renew it. Your last day is **${lastDay(outlook)}**.`,
        badge: { text: 'Choose a plan', tone: 'soon' },
      },
      outlook,
    ),

  renews: (outlook, rules) => {
    const { offer, card, notice, charge, endsOn, today } = outlook
    if (!offer || !card) throw new Error('nothing to renew with')
    const told = notice.isSent
      ? 'We have emailed you the amount.'
      : `We confirm the amount by email on ${dayWords(dayOf(notice.at, rules.market.zone), today)}.`
    return {
      tone: 'calm',
      title: `Plan renews on ${titleDay(endsOn)}`,
      text: `**${formatPrice(offer.amountCents)}** from ${nameOfCard(card)}, charged at ${moment(charge.at, outlook, rules)}. ${told}`,
      line: `Renews on ${shortDay(endsOn, today)}, ${formatPrice(offer.amountCents)}`,
      badge: null,
    }
  },

  last_day: (outlook, { numberKeptDays }) => ({
    tone: 'bad',
    title: 'Today is the last day',
    text:
      `Plan expires on ${titleDay(outlook.endsOn)}: data, calls and texts stop at midnight tonight. ` +
      `We keep your number for ${numberKeptDays} days.`,
    line: 'Last day today',
    badge: { text: 'Last day', tone: 'soon' },
  }),

  ends_soon: (outlook) => {
    const { daysLeft: days, endsOn, today } = outlook
    const isVerySoon = days <= 3
    return {
      tone: 'soon',
      title: isVerySoon ? `${days} days left` : ends(outlook),
      text:
        (isVerySoon
          ? `${ends(outlook)}. Your last day is **${lastDay(outlook)}**. `
          : `${days} days left. Your last day is **${lastDay(outlook)}**. `) +
        `Renew today and the next plan starts on ${shortDay(endsOn, today)}: you lose nothing.`,
      line: `Last day ${lastDay(outlook)}`,
      badge: isVerySoon ? { text: `${days} days left`, tone: 'soon' } : null,
    }
  },

  ends: (outlook) => ({
    tone: 'calm',
    title: ends(outlook),
    text: `Your last day is **${lastDay(outlook)}**. Nothing is charged unless you renew.`,
    line: endLine(outlook),
    badge: null,
  }),
}

function cancelling(
  { canCancel, byVoucher, startsOn }: NonNullable<Outlook['queued']>,
  today: Temporal.PlainDate,
): string {
  if (!canCancel) return ''
  const last = startsOn.subtract({ days: 2 })
  const until = last.equals(today) ? '**midnight tonight**' : `the end of **${dayWords(last, today)}**`
  return byVoucher
    ? ` Cancel it until ${until}, and your voucher code works again.`
    : ` Cancel it for a full refund until ${until}.`
}

function failureTitle({ failure }: Outlook): string {
  switch (failure?.reason) {
    case 'no-card':
      return 'There was no card to charge'
    case 'card-expired':
      return `${failure.card ?? 'Your card'} has expired`
    case 'network':
      return 'We couldn’t add your next plan'
    default:
      return `We couldn’t charge ${failure?.card ?? 'your card'}`
  }
}

function gaveUpBecause({ failure }: Outlook): string {
  switch (failure?.reason) {
    case 'no-card':
      return 'There was no card to charge.'
    case 'card-expired':
      return `${failure.card ?? 'Your card'} has expired, so you weren’t charged.`
    case 'network':
      return 'The network couldn’t add your next plan, so you weren’t charged.'
    default:
      return `We couldn’t charge ${failure?.card ?? 'your card'}.`
  }
}

function withWhich({ card, failure }: Outlook): string {
  const name = card && nameOfCard(card)
  return name && failure?.reason !== 'network' && name !== failure?.card ? ` with ${name}` : ''
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

export function expiryOf(expiry: string, today: Temporal.PlainDate): string {
  const [month = 0, year = 0] = expiry.split('/').map(Number)
  const isOver = Temporal.PlainYearMonth.compare({ year, month }, today.toPlainYearMonth()) < 0
  return `${isOver ? 'expired in' : 'expires at the end of'} ${monthNames[month - 1]} ${year}`
}
