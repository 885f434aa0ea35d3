import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatDataAmount, getPlanDataOrTitle } from '#kit/contract/plans.ts'
import { appendZone, getCommaAfterZone } from '#kit/contract/zone-name.ts'
import { dayOf, formatRelativeDay, formatHour, formatShortDate } from '#kit/server/relative-day.ts'
import { numberRetentionMessages, type PlanStatusView } from '#features/services/services.contract.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { getCardName } from './card.ts'
import type { PlanStatus, PlanStatusContext } from './plan-status.ts'

type PlanStatusText = Pick<PlanStatusView, 'tone' | 'title' | 'text' | 'line' | 'badge'>
type StatusPresenter = (planStatus: PlanStatus, rules: PlanStatusContext) => PlanStatusText

/** Builds the customer's view of a plan's status. In its text, `**` encloses emphasised words. */
export function presentPlanStatus(planStatus: PlanStatus, rules: PlanStatusContext): PlanStatusView {
  return {
    state: planStatus.state,
    ...presenterByState[planStatus.state](planStatus, rules),
    card_button: getCardButton(planStatus),
    card_charge: formatCardCharge(planStatus, rules),
    auto_renewal_note: autoRenewalNote(planStatus),
    ...getNextPlanFields(planStatus),
    last_day: planStatus.lastDay.toString(),
    days_left: planStatus.daysLeft,
  }
}

function getNextPlanFields({
  state,
  queued,
}: PlanStatus): Pick<PlanStatusView, 'can_cancel_next_plan' | 'change_next_plan'> {
  if (state !== 'next_plan_paid' || !queued?.canCancel) return { can_cancel_next_plan: false, change_next_plan: null }
  const { orderCode, paidCents, byVoucher, product } = queued
  const line = byVoucher
    ? `Your ${product.title} will be cancelled once the new plan is paid for. Its voucher code will then work again if it is still valid.`
    : `Your ${product.title} of ${formatPrice(paidCents)} will be refunded in full once the new plan is paid for.`
  return { can_cancel_next_plan: true, change_next_plan: { instead_of: orderCode, line } }
}

/** Formats a day in the form that the specification requires. A card's title and text both use it, so that its dates look alike. */
export const formatFullDate = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

function getCardButton({ state, card, failure }: PlanStatus): PlanStatusView['card_button'] {
  const canAnotherCardHelp =
    state === 'charge_failed' || state === 'card_trouble' || (state === 'gave_up' && failure?.reason !== 'network')
  if (!canAnotherCardHelp) return null
  return card ? 'Update card' : 'Add credit card'
}

function formatCardCharge(
  { state, isRenewing, offer, card, trouble, charge, today }: PlanStatus,
  { market: { zone } }: PlanStatusContext,
): PlanStatusView['card_charge'] {
  if (!isRenewing || !offer || !card || trouble || state === 'charging' || state === 'expired') return null
  const day = dayOf(charge.at, zone)
  const chargeDay = Temporal.PlainDate.compare(day, today) > 0 ? `on ${formatFullDate(day)}` : 'today'
  return `${chargeDay}: ${formatPrice(offer.amountCents)}`
}

const statesThatAllowEnabling: ReadonlySet<PlanStatus['state']> = new Set(['ends', 'ends_soon', 'last_day'])

function autoRenewalNote({ state, offer }: PlanStatus): string | null {
  if (!offer) return null
  const { amountCents, product } = offer
  const isCheaper = amountCents < product.price_cents
  const [automaticPrice, byHand] = [amountCents, product.price_cents].map((cents) => `**${formatPrice(cents)}**`)
  if (statesThatAllowEnabling.has(state))
    return isCheaper ? `Your next plan costs ${automaticPrice} with auto-renewal instead of ${byHand}.` : null
  const savingText =
    (isCheaper ? `If you renew manually with a card, you pay ${byHand} instead of ${automaticPrice}. ` : '') +
    'Auto-renewal stays on if you renew manually.'
  switch (state) {
    case 'renews':
      return `You don’t need to do anything. ${savingText}`
    case 'charging':
      return 'You don’t need to do anything.'
    case 'charge_failed':
    case 'card_trouble':
      return savingText
    default:
      return null
  }
}

const planLabel = ({ product }: { product: ProductRow }, lengthDays: number): string =>
  `${getPlanDataOrTitle(product)}, ${lengthDays} days`

/** Says that a plan can't be renewed because it is no longer sold. */
export function withdrawnPlanSentence({ title, data_gb, length_days: days }: ProductRow): string {
  const name = data_gb > 0 ? `The plan with ${formatDataAmount(data_gb)}` : title
  return `${name} for ${days} days is no longer sold, so we can’t renew it.`
}

const lastDayText = ({ lastDay, daysLeft }: PlanStatus): string => (daysLeft <= 1 ? 'today' : formatFullDate(lastDay))
const expirySentence = ({ endsOn }: PlanStatus): string => `Plan expires on ${formatFullDate(endsOn)}`
const expiryLine = ({ endsOn, today }: PlanStatus): string => `Expires on ${formatShortDate(endsOn, today)}`

function formatHourOnDay(at: Temporal.Instant, { today }: PlanStatus, { market: { zone } }: PlanStatusContext): string {
  const day = dayOf(at, zone)
  return appendZone(`${formatHour(at, zone)} ${day.equals(today) ? 'today' : `on ${formatFullDate(day)}`}`, zone)
}

const formatEndOfDay = (isToday: boolean, day: string, { market: { zone } }: PlanStatusContext): string =>
  isToday ? `**${appendZone('midnight tonight', zone)}**` : `the end of **${appendZone(day, zone)}**`

function renewBeforeSentence(planStatus: PlanStatus, rules: PlanStatusContext): string {
  const deadline = formatEndOfDay(planStatus.daysLeft <= 1, lastDayText(planStatus), rules)
  return `Renew before ${deadline}${getCommaAfterZone(rules.market.zone)} to stay connected.`
}

const canRenew = ({ isRenewing, offer, trouble }: PlanStatus): boolean =>
  isRenewing && offer !== null && trouble === null

const buildExpiringText = (
  statusText: Omit<PlanStatusText, 'tone' | 'line' | 'badge'> & Partial<PlanStatusText>,
  planStatus: PlanStatus,
): PlanStatusText => ({
  tone: 'bad',
  line: expiryLine(planStatus),
  badge: null,
  ...statusText,
})

const presenterByState: Record<PlanStatus['state'], StatusPresenter> = {
  expired: (planStatus, { numberKeptDays }) => ({
    tone: 'bad',
    title: `Prepay Plan Expired on ${formatFullDate(planStatus.endsOn)}!`,
    text: [
      numberRetentionMessages.reserved(numberKeptDays),
      numberRetentionMessages.lastDay(`**${formatFullDate(planStatus.numberKeptUntil)}**`),
      'Renew a Prepay Plan to keep your Phone Number.',
    ].join('\n'),
    line: `Renew by ${formatRelativeDay(planStatus.numberKeptUntil, planStatus.today)} to keep your number`,
    badge: null,
  }),

  next_plan_paid: (planStatus, rules) => {
    const { queued, today, isRenewing } = planStatus
    if (!queued) throw new Error('no plan waits')
    const autoRenewalSentence = isRenewing
      ? 'Auto-renewal continues after that plan.'
      : `Auto-renewal is off, so that plan expires on ${formatFullDate(queued.endsOn)}.`
    return {
      tone: 'good',
      title: `Next plan starts on ${formatFullDate(queued.startsOn)}`,
      text:
        `**${planLabel(queued, queued.lengthDays)}**, paid on ${formatFullDate(queued.paidOn)}. ` +
        `It starts automatically when this plan expires on ${formatFullDate(planStatus.endsOn)}.` +
        `${cancelDeadlineSentence(queued, today, rules)} ${autoRenewalSentence}`,
      line: `Next plan paid, starts on ${formatShortDate(queued.startsOn, today)}`,
      badge: null,
    }
  },

  next_plan_cancelling: (planStatus) => ({
    tone: 'calm',
    title: 'We’re cancelling your next plan',
    text:
      'The network still has to confirm the cancellation. You don’t need to do anything. We’ll email you when it’s cancelled ' +
      `and return what you paid. Your current plan works as usual until it ${canRenew(planStatus) ? 'renews' : 'expires'} on ` +
      `${formatFullDate(planStatus.endsOn)}.`,
    line: 'Next plan is being cancelled',
    badge: null,
  }),

  charging: (planStatus) => ({
    tone: 'calm',
    title: 'We’re renewing your plan',
    text: `Your payment is being processed. Your plan renews on ${formatFullDate(planStatus.endsOn)}.`,
    line: `Renews on ${formatShortDate(planStatus.endsOn, planStatus.today)}`,
    badge: null,
  }),

  charge_failed: (planStatus, rules) => {
    const [next, ...laterAttempts] = [planStatus.charge.at, ...planStatus.charge.retries]
    const attemptTimes = [
      formatHourOnDay(next!, planStatus, rules),
      ...laterAttempts.map((at) => formatHourOnDay(at, planStatus, rules)),
    ]
    const isLastDay = planStatus.daysLeft <= 1
    return buildExpiringText(
      {
        title: getFailureTitle(planStatus),
        text:
          'You haven’t been charged. ' +
          `We’ll try again at **${attemptTimes[0]}**${attemptTimes[1] ? `, then at ${attemptTimes.slice(1).join(', then at ')}` : ''}` +
          `${nextCardClause(planStatus, rules)}. If ` +
          `${attemptTimes.length > 1 ? `${attemptTimes.length === 2 ? 'both' : 'all'} fail` : 'that fails'}, ` +
          `your plan expires on ${formatFullDate(planStatus.endsOn)}: ` +
          `${isLastDay ? 'today is its last day' : `${lastDayText(planStatus)} is its last day`}.`,
        badge: { text: 'Payment failed', tone: 'bad' },
      },
      planStatus,
    )
  },

  card_trouble: (planStatus, rules) => {
    const { card, trouble, charge } = planStatus
    const chargeTime = formatHourOnDay(charge.at, planStatus, rules)
    return buildExpiringText(
      {
        title: 'Your plan can’t renew yet',
        text:
          trouble === 'no-card' || !card
            ? `There is no card to charge. Add one before **${chargeTime}**, or your plan expires on ${formatFullDate(planStatus.endsOn)}.`
            : `${getCardName(card)} ${cardExpiryText(card.expiry, planStatus.today)}. Update it before **${chargeTime}**, ` +
              `or your plan expires on ${formatFullDate(planStatus.endsOn)}.`,
        badge: { text: trouble === 'no-card' ? 'No card' : 'Card expired', tone: 'bad' },
      },
      planStatus,
    )
  },

  gave_up: (planStatus, rules) =>
    buildExpiringText(
      {
        title: expirySentence(planStatus),
        text: `${renewalStoppedSentence(planStatus)} Auto-renewal is off. ${renewBeforeSentence(planStatus, rules)}`,
        badge: { text: 'Payment failed', tone: 'bad' },
      },
      planStatus,
    ),

  withdrawn: (planStatus) =>
    buildExpiringText(
      {
        tone: 'soon',
        title: 'Choose your next plan',
        text:
          `${withdrawnPlanSentence(planStatus.product)} ${expirySentence(planStatus)}. ` +
          `Your last day is **${lastDayText(planStatus)}**.`,
        badge: { text: 'Choose a plan', tone: 'soon' },
      },
      planStatus,
    ),

  renews: (planStatus, rules) => {
    const { offer, card, notice, charge, endsOn, today } = planStatus
    if (!offer || !card) throw new Error('nothing to renew with')
    const noticeSentence = notice.isSent
      ? 'We have emailed you the amount.'
      : `We’ll confirm the amount by email on ${formatFullDate(dayOf(notice.at, rules.market.zone))}.`
    return {
      tone: 'calm',
      title: `Plan renews on ${formatFullDate(endsOn)}`,
      text:
        `**${formatPrice(offer.amountCents)}** from ${getCardName(card)}, charged at ` +
        `${formatHourOnDay(charge.at, planStatus, rules)}. ${noticeSentence}`,
      line: `Renews on ${formatShortDate(endsOn, today)}, ${formatPrice(offer.amountCents)}`,
      badge: null,
    }
  },

  last_day: (planStatus, { numberKeptDays, market }) => ({
    tone: 'bad',
    title: 'Today is the last day of your plan',
    text:
      `Plan expires on ${formatFullDate(planStatus.endsOn)}: data, calls and texts stop at ` +
      `${appendZone('midnight tonight', market.zone)}. We keep your number for ${numberKeptDays} days.`,
    line: 'Last day today',
    badge: { text: 'Last day', tone: 'soon' },
  }),

  ends_soon: (planStatus) => {
    const { daysLeft: days, endsOn, today } = planStatus
    const isWithinThreeDays = days <= 3
    return {
      tone: 'soon',
      title: isWithinThreeDays ? `${days} days left` : expirySentence(planStatus),
      text:
        (isWithinThreeDays
          ? `${expirySentence(planStatus)}. Your last day is **${lastDayText(planStatus)}**. `
          : `${days} days left. Your last day is **${lastDayText(planStatus)}**. `) +
        `Renew today and the next plan starts on ${formatFullDate(endsOn)}: you lose nothing.`,
      line: `Last day ${formatRelativeDay(planStatus.lastDay, today)}`,
      badge: isWithinThreeDays ? { text: `${days} days left`, tone: 'soon' } : null,
    }
  },

  ends: (planStatus) => ({
    tone: 'calm',
    title: expirySentence(planStatus),
    text: `Your last day is **${lastDayText(planStatus)}**. Nothing is charged unless you renew.`,
    line: expiryLine(planStatus),
    badge: null,
  }),
}

function cancelDeadlineSentence(
  { canCancel, byVoucher, startsOn }: NonNullable<PlanStatus['queued']>,
  today: Temporal.PlainDate,
  rules: PlanStatusContext,
): string {
  if (!canCancel) return ''
  const lastCancelDay = startsOn.subtract({ days: 2 })
  const until = formatEndOfDay(lastCancelDay.equals(today), formatFullDate(lastCancelDay), rules)
  return byVoucher
    ? ` Cancel it until ${until}, and your voucher code works again.`
    : ` Cancel it for a full refund until ${until}.`
}

function getFailureTitle({ failure }: PlanStatus): string {
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

function renewalStoppedSentence({ failure }: PlanStatus): string {
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

function nextCardClause({ card, failure }: PlanStatus, { market: { zone } }: PlanStatusContext): string {
  const name = card && getCardName(card)
  if (!name || failure?.reason === 'network' || name === failure?.card) return ''
  return `${getCommaAfterZone(zone)} with ${name}`
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

export function cardExpiryText(expiry: string, today: Temporal.PlainDate): string {
  const [month = 0, year = 0] = expiry.split('/').map(Number)
  const isPastMonth = Temporal.PlainYearMonth.compare({ year, month }, today.toPlainYearMonth()) < 0
  return `${isPastMonth ? 'expired in' : 'expires at the end of'} ${monthNames[month - 1]} ${year}`
}
