import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { dayOf, relativeDay, formatHour } from '#kit/server/relative-day.ts'
import { type OutboxMessage, type NewMail, chooseFittingText } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceWithPlan } from '#features/services/server/plan-life.store.ts'
import { type MailRecipient, cardNameInSentence, mailTo, updateCardLink } from './auto-renewal-message.ts'
import type { PlanStatus } from './plan-status.ts'

/*
 * These messages are sent before a plan ends. They may only contain facts about the customer's plan and how to renew
 * it. By law, any other offer would count as advertising and require a way to unsubscribe.
 */

export type EndingPlan = ServiceWithPlan & { user: MailRecipient; outlook: PlanStatus; premise: string }

export function endReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { service, schedule, outlook } = endingPlan
  const { daysLeft, state, endsOn, lastDay, today } = outlook
  const number = formatNational(service.msisdn)
  const isLastDay = daysLeft <= 1
  const mail = endingPlanMail(deps, endingPlan, {
    subject: isLastDay ? `Today is the last day of your plan for ${number}` : `${daysLeft} days left on ${number}`,
    heading: isLastDay ? 'Today is the last day of your plan' : `${daysLeft} days left`,
    paragraphs: [
      `your ${schedule.title} for ${number} expires on ${relativeDay(endsOn, today)}. ` +
        (isLastDay
          ? 'Today is its last day: data, calls and texts stop at midnight tonight.'
          : `${relativeDay(lastDay, today)} is your last day of data, calls and texts.`),
      state === 'withdrawn'
        ? 'The plan for your next renewal is no longer sold, so please choose another plan.'
        : `Renew any time before then: the next plan starts on ${relativeDay(endsOn, today)}, and you lose nothing.`,
      `If you don’t renew, we keep your Phone Number for ${deps.numberKeptDays} ` +
        `days, until ${relativeDay(outlook.numberKeptUntil, today)}.`,
    ],
    rows: [
      ['Phone number', number],
      ...lastDayRows(outlook),
      ...(outlook.offer ? [['Renewal plan', priceLabel(outlook.offer.product)] satisfies [string, string]] : []),
    ],
    button: {
      text: state === 'withdrawn' ? 'Choose my next Prepay Plan' : 'Renew my Prepay Plan',
      url: `${deps.publicUrl}/services/renew/${schedule.shortId}/`,
    },
  })
  return [mail, endingPlanSms(endingPlan, endReminderText(deps, number, outlook))]
}

export function endReminderText(
  deps: OrderDeps,
  number: string,
  { daysLeft, lastDay, today }: Pick<PlanStatus, 'daysLeft' | 'lastDay' | 'today'>,
): string {
  const daysLeftSentence = `${daysLeft} days left on ${number}, last day ${relativeDay(lastDay, today)}.`
  if (daysLeft > 1)
    return chooseFittingText(deps, (host) => [
      `${daysLeftSentence} Renew before then: your next plan starts ` +
        `${relativeDay(lastDay.add({ days: 1 }), today)} and you lose nothing. ` +
        `Log in at ${host}`,
      `${daysLeftSentence} Renew before then and you lose nothing: log in at ${host}`,
    ])
  return chooseFittingText(deps, (host) => [
    `today is the last day for ${number}. Data, calls and texts stop at midnight. ` +
      `We keep your number ${deps.numberKeptDays} days. Renew: log in at ${host}`,
    `today is the last day for ${number}. It stops at midnight. Renew: log in at ${host}`,
  ])
}

export function cardReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { outlook } = endingPlan
  const { endsOn, lastDay, today } = outlook
  const number = formatNational(endingPlan.service.msisdn)
  const mail = endingPlanMail(deps, endingPlan, {
    subject: `Your Prepay Plan for ${number} can’t renew yet`,
    heading: 'Your plan can’t renew yet',
    paragraphs: [
      `your Prepay Plan for ${number} is set to renew automatically, but ` +
        `${cardProblemClause(outlook)} ${cardRemedySentence(deps, outlook)}.`,
      `Otherwise your plan expires on ${relativeDay(endsOn, today)}, and ${relativeDay(lastDay, today)} is your last day of data, ` +
        'calls and texts.',
    ],
    rows: [['Phone number', number], ...lastDayRows(outlook)],
    button: updateCardLink(deps),
  })
  return [mail, endingPlanSms(endingPlan, cardReminderText(deps, number, { ...outlook, chargeAt: outlook.charge.at }))]
}

const cardProblemClause = ({ card }: PlanStatus): string =>
  card ? `your ${cardNameInSentence(card)} will have expired when we charge it.` : 'there is no card to charge.'
const cardRemedySentence = ({ market }: OrderDeps, { card, charge, today }: PlanStatus): string =>
  `Please ${card ? 'update it' : 'add one'} before ${momentText(charge.at, today, market.zone)}`

export function cardReminderText(
  deps: OrderDeps,
  number: string,
  { card, chargeAt, today }: Pick<PlanStatus, 'card' | 'today'> & { chargeAt: Temporal.Instant },
): string {
  const deadline = momentText(chargeAt, today, deps.market.zone)
  return chooseFittingText(deps, (host) =>
    card
      ? [
          `your ${cardNameInSentence(card)} will have expired, so ${number} can't renew. Update it by ${deadline}. Log in at ${host}`,
          `your card ${card.last_four} will have expired, so ${number} can't renew. Update it by ${deadline} at ${host}`,
        ]
      : [`there is no card to renew ${number} with. Add one by ${deadline}. Log in at ${host}`],
  )
}

export function nextPlanReminder(deps: OrderDeps, endingPlan: EndingPlan): OutboxMessage[] {
  const { queued, endsOn, today } = endingPlan.outlook
  if (!queued) throw new Error('no plan waits')
  const number = formatNational(endingPlan.service.msisdn)
  const mail = endingPlanMail(deps, endingPlan, {
    subject: `Your next Prepay Plan for ${number} starts tomorrow`,
    heading: 'Your next plan starts tomorrow',
    paragraphs: [
      `your next Prepay Plan for ${number} starts on ${relativeDay(endsOn, today)}, when your current plan ends at midnight ` +
        'tonight. It’s paid for, so you don’t need to do anything.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', queued.product.title],
      ['Starts on', formatTitleDay(queued.startsOn)],
      ['Last day', formatTitleDay(queued.endsOn.subtract({ days: 1 }))],
    ],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${endingPlan.service.id}/` },
  })
  return [mail]
}

const endingPlanMail = (
  deps: OrderDeps,
  ending: EndingPlan,
  letter: Omit<NewMail, 'to' | 'eventKey' | 'onlyWhile'>,
): OutboxMessage =>
  mailTo(deps, ending.user, {
    ...letter,
    eventKey: eventKeyOf(ending, 'plan-life'),
    onlyWhile: sendConditionFields(ending),
  })

const endingPlanSms = (ending: EndingPlan, text: string): OutboxMessage => ({
  sms: {
    eventKey: eventKeyOf(ending, 'plan-life-text'),
    to: ending.service.msisdn,
    userId: ending.service.user_id,
    text,
    onlyWhile: sendConditionFields(ending),
  },
})

/** The number of days left is part of the key, so that a delayed run does not send the same message twice. */
const eventKeyOf = ({ service, schedule, outlook: { daysLeft } }: EndingPlan, messageType: string): string =>
  `${messageType}:${service.id}:ends-${daysLeft}:${schedule.expiresAt.toString()}`

const sendConditionFields = ({ service, premise }: EndingPlan) => ({ serviceId: service.id, premise, byDay: true })

const lastDayRows = ({ lastDay, endsOn }: PlanStatus): [string, string][] => [
  ['Last day', formatTitleDay(lastDay)],
  ['Expires on', formatTitleDay(endsOn)],
]

const formatTitleDay = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

const priceLabel = ({ title, price_cents: cents }: { title: string; price_cents: number }): string =>
  `${title}, ${formatPrice(cents)}`

const momentText = (at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string =>
  `${formatHour(at, zone)} on ${relativeDay(dayOf(at, zone), today)}`
