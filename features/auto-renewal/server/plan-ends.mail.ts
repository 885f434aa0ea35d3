import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { appendZone, getCommaAfterZone } from '#kit/contract/zone-name.ts'
import { getLastReservedDay } from '#kit/server/plan-period.ts'
import { dayOf, formatRelativeDay, formatHour } from '#kit/server/relative-day.ts'
import {
  type OutboxMessage,
  type NewMail,
  type CopyableContent,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import type { StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceWithPlan } from '#features/services/server/plan-life.store.ts'
import { type CardLabel, getCardLabel } from './card.ts'
import {
  type MailRecipient,
  cardNameInSentence,
  formatPlanDates,
  buildCustomerMail,
  restoreStatedPlan,
  updateCardLink,
} from './auto-renewal-message.ts'
import type { PlanStatus } from './plan-status.ts'

/*
 * These messages are sent before a plan ends. They may only contain facts about the customer's plan and how to renew
 * it. By law, any other offer would count as advertising and require a way to unsubscribe.
 */

export type EndingPlan = ServiceWithPlan & { user: MailRecipient; outlook: PlanStatus; premise: string }

export function endReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { service, schedule, outlook } = endingPlan
  const { daysLeft, state } = outlook
  const number = formatNational(service.msisdn)
  const isLastDay = daysLeft <= 1
  const statedFacts = buildPlanEndFacts(deps, endingPlan)
  const mail = buildEndingPlanMail(deps, endingPlan, {
    subject: isLastDay ? `Today is the last day of your plan for ${number}` : `${daysLeft} days left on ${number}`,
    heading: isLastDay ? 'Today is the last day of your plan' : `${daysLeft} days left`,
    ...buildPlanEndContent(deps, statedFacts),
    button: {
      text: state === 'withdrawn' ? 'Choose my next Prepay Plan' : 'Renew my Prepay Plan',
      url: `${deps.publicUrl}/services/renew/${schedule.shortId}/`,
    },
    stated: statedFacts,
  })
  return [mail, buildEndingPlanSms(endingPlan, buildEndReminderSms(deps, number, outlook))]
}

const buildPlanEndFacts = (deps: OrderDeps, endingPlan: EndingPlan): StatedFacts<'plan_end'> => ({
  of: 'plan_end',
  ...buildPlanFacts(endingPlan),
  is_withdrawn: endingPlan.outlook.state === 'withdrawn',
  renewal: endingPlan.outlook.offer && {
    title: endingPlan.outlook.offer.product.title,
    cents: endingPlan.outlook.offer.product.price_cents,
  },
  kept_days: deps.numberKeptDays,
})

/** @param isCopy whether the content is for a copy, which may be sent on a later day and so must not say “today” or “tonight” */
export function buildPlanEndContent(
  deps: OrderDeps,
  stated: StatedFacts<'plan_end'>,
  { isCopy = false } = {},
): CopyableContent {
  const { plan, renewal, is_withdrawn: isWithdrawn, kept_days: keptDays } = stated
  const dates = formatPlanDates(deps, restoreStatedPlan(stated))
  const { number, endsOn, lastDay, today } = dates
  const numberKeptUntil = getLastReservedDay(Temporal.Instant.from(stated.ends_at), deps.market.zone, keptDays)
  const canSayToday = !isCopy && Temporal.PlainDate.compare(dates.lastDayIs, today) <= 0
  return {
    paragraphs: [
      `your ${plan} for ${number} expires on ${endsOn}. ` +
        (canSayToday
          ? `Today is its last day: data, calls and texts stop at ${appendZone('midnight tonight', deps.market.zone)}.`
          : `${lastDay} is your last day of data, calls and texts.`),
      isWithdrawn
        ? 'The plan for your next renewal is no longer sold, so please choose another plan.'
        : `Renew any time before then: the next plan starts on ${endsOn}, and you lose nothing.`,
      `If you don’t renew, we keep your Phone Number for ${keptDays} days, until ${formatRelativeDay(numberKeptUntil, today)}.`,
    ],
    rows: [
      ['Phone number', number],
      ...buildLastDayRows(dates),
      ...(renewal
        ? [['Renewal plan', `${renewal.title}, ${formatPrice(renewal.cents)}`] satisfies [string, string]]
        : []),
    ],
  }
}

export function buildEndReminderSms(
  deps: OrderDeps,
  number: string,
  { daysLeft, lastDay, today }: Pick<PlanStatus, 'daysLeft' | 'lastDay' | 'today'>,
): string {
  const daysLeftSentence = `${daysLeft} days left on ${number}, last day ${formatRelativeDay(lastDay, today)}.`
  if (daysLeft > 1)
    return chooseFittingSmsText(deps, (host) => [
      `${daysLeftSentence} Renew before then: your next plan starts ` +
        `${formatRelativeDay(lastDay.add({ days: 1 }), today)} and you lose nothing. ` +
        `Log in at ${host}`,
      `${daysLeftSentence} Renew before then and you lose nothing: log in at ${host}`,
    ])
  const stopTime = appendZone('midnight', deps.market.zone)
  const numberKeptSentence = `We keep your number ${deps.numberKeptDays} days.`
  return chooseFittingSmsText(deps, (host) => [
    `today is the last day for ${number}. Data, calls and texts stop at ${stopTime}. ${numberKeptSentence} Renew: log in at ${host}`,
    `today is the last day for ${number}. It stops at ${stopTime}. ${numberKeptSentence} Renew: log in at ${host}`,
    `today is the last day for ${number}. It stops at ${stopTime}. Renew: log in at ${host}`,
  ])
}

export function createCardReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { outlook } = endingPlan
  const number = formatNational(endingPlan.service.msisdn)
  const stated: StatedFacts<'card_problem'> = {
    of: 'card_problem',
    ...buildPlanFacts(endingPlan),
    charge_at: outlook.charge.at.toString(),
    card: getCardLabel(outlook.card),
  }
  const mail = buildEndingPlanMail(deps, endingPlan, {
    subject: `Your Prepay Plan for ${number} can’t renew yet`,
    heading: 'Your plan can’t renew yet',
    ...buildCardProblemContent(deps, stated),
    button: updateCardLink(deps),
    stated,
  })
  return [
    mail,
    buildEndingPlanSms(endingPlan, buildCardReminderSms(deps, number, { ...outlook, chargeAt: outlook.charge.at })),
  ]
}

export function buildCardProblemContent(deps: OrderDeps, stated: StatedFacts<'card_problem'>): CopyableContent {
  const { card } = stated
  const dates = formatPlanDates(deps, restoreStatedPlan(stated))
  const { number, endsOn, lastDay, today } = dates
  const deadline = formatHourOnDay(Temporal.Instant.from(stated.charge_at), today, deps.market.zone)
  return {
    paragraphs: [
      `your Prepay Plan for ${number} is set to renew automatically, but ` +
        `${cardProblemClause(card)} Please ${card ? 'update it' : 'add one'} before ${deadline}.`,
      `Otherwise your plan expires on ${endsOn}, and ${lastDay} is your last day of data, calls and texts.`,
    ],
    rows: [['Phone number', number], ...buildLastDayRows(dates)],
  }
}

const cardProblemClause = (card: CardLabel | null): string =>
  card ? `your ${cardNameInSentence(card)} will have expired when we charge it.` : 'there is no card to charge.'

export function buildCardReminderSms(
  deps: OrderDeps,
  number: string,
  { card, chargeAt, today }: Pick<PlanStatus, 'card' | 'today'> & { chargeAt: Temporal.Instant },
): string {
  const deadline = formatHourOnDay(chargeAt, today, deps.market.zone)
  const comma = getCommaAfterZone(deps.market.zone)
  return chooseFittingSmsText(deps, (host) =>
    card
      ? [
          `your ${cardNameInSentence(card)} will have expired, so ${number} can't renew. Update it by ${deadline}. Log in at ${host}`,
          `your card ${card.last_four} will have expired, so ${number} can't renew. Update it by ${deadline}${comma} at ${host}`,
          `card ${card.last_four} will expire, so ${number} can't renew. Update it by ${deadline}${comma} at ${host}`,
        ]
      : [`there is no card to renew ${number} with. Add one by ${deadline}. Log in at ${host}`],
  )
}

export function createNextPlanReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { queued } = endingPlan.outlook
  if (!queued) throw new Error('no plan waits')
  const number = formatNational(endingPlan.service.msisdn)
  const stated: StatedFacts<'next_plan'> = {
    of: 'next_plan',
    ...buildPlanFacts(endingPlan),
    plan: queued.product.title,
    starts_on: queued.startsOn.toString(),
    last_day: queued.endsOn.subtract({ days: 1 }).toString(),
  }
  const mail = buildEndingPlanMail(deps, endingPlan, {
    subject: `Your next Prepay Plan for ${number} starts tomorrow`,
    heading: 'Your next plan starts tomorrow',
    ...buildNextPlanContent(deps, stated),
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${endingPlan.service.id}/` },
    stated,
  })
  return [mail]
}

export function buildNextPlanContent(
  deps: OrderDeps,
  stated: StatedFacts<'next_plan'>,
  { isCopy = false } = {},
): CopyableContent {
  const { number, endsOn } = formatPlanDates(deps, restoreStatedPlan(stated))
  return {
    paragraphs: [
      `your next Prepay Plan for ${number} starts on ${endsOn}, when your current plan ends at ` +
        `${appendZone(isCopy ? 'midnight' : 'midnight tonight', deps.market.zone)}. ` +
        'It’s paid for, so you don’t need to do anything.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', stated.plan],
      ['Starts on', formatDate(stated.starts_on, 'UTC')],
      ['Last day', formatDate(stated.last_day, 'UTC')],
    ],
  }
}

const buildEndingPlanMail = (
  deps: OrderDeps,
  ending: EndingPlan,
  letter: Omit<NewMail, 'to' | 'eventKey' | 'onlyWhile'>,
): OutboxMessage =>
  buildCustomerMail(deps, ending.user, {
    ...letter,
    eventKey: buildEventKey(ending, 'plan-life'),
    onlyWhile: getSendConditionFields(ending),
  })

const buildEndingPlanSms = (ending: EndingPlan, text: string): OutboxMessage => ({
  sms: {
    eventKey: buildEventKey(ending, 'plan-life-text'),
    to: ending.service.msisdn,
    userId: ending.service.user_id,
    text,
    onlyWhile: getSendConditionFields(ending),
  },
})

/** The number of days left is part of the key, so that a delayed run does not send the same message twice. */
const buildEventKey = ({ service, schedule, outlook: { daysLeft } }: EndingPlan, messageType: string): string =>
  `${messageType}:${service.id}:ends-${daysLeft}:${schedule.expiresAt.toString()}`

const getSendConditionFields = ({ service, premise }: EndingPlan) => ({ serviceId: service.id, premise, byDay: true })

const buildPlanFacts = ({ service, schedule, outlook }: EndingPlan) => ({
  at: outlook.now.toString(),
  msisdn: service.msisdn,
  plan: schedule.title,
  ends_at: schedule.expiresAt.toString(),
})

const buildLastDayRows = ({ lastDayIs, ends }: ReturnType<typeof formatPlanDates>): [string, string][] => [
  ['Last day', formatDate(lastDayIs.toString(), 'UTC')],
  ['Expires on', ends],
]

const formatHourOnDay = (at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string =>
  appendZone(`${formatHour(at, zone)} on ${formatRelativeDay(dayOf(at, zone), today)}`, zone)
