import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { dayOf, dayWords, hourWords } from '#kit/server/day-words.ts'
import { type Letter, type NewMail, textOf } from '#features/messages/server/messages.ts'
import type { OrderDeps } from '#features/orders/server/orders.deps.ts'
import type { ServiceWithPlan } from '#features/services/server/plan-life.store.ts'
import { type Addressee, cardWords, letterTo, updateCard } from './letter.ts'
import type { Outlook } from './outlook.ts'

// Messages before a plan ends. They only state facts about the customer's plan and how to renew it. By law, an offer of
// anything else would be advertising, which requires a way to unsubscribe.

export type Ending = ServiceWithPlan & { user: Addressee; outlook: Outlook; premise: string }

export function endReminder(deps: OrderDeps, ending: Ending): Letter[] {
  const { service, schedule, outlook } = ending
  const { daysLeft, state, endsOn, lastDay, today } = outlook
  const number = formatNational(service.msisdn)
  const isLastDay = daysLeft <= 1
  const mail = mailOf(deps, ending, {
    subject: isLastDay ? `Today is the last day for ${number}` : `${daysLeft} days left on ${number}`,
    heading: isLastDay ? 'Today is the last day' : `${daysLeft} days left`,
    paragraphs: [
      `your ${schedule.title} for ${number} expires on ${dayWords(endsOn, today)}. ` +
        (isLastDay
          ? 'Today is its last day: data, calls and texts stop at midnight tonight.'
          : `${dayWords(lastDay, today)} is the last day of data, calls and texts.`),
      state === 'withdrawn'
        ? 'The plan it would renew with is no longer sold, so please choose another one.'
        : `Renew any time before then: the next plan starts on ${dayWords(endsOn, today)}, and you lose nothing.`,
      `If you don’t renew, we keep your Phone Number for ${deps.numberKeptDays} days, until ${dayWords(outlook.numberKeptUntil, today)}.`,
    ],
    rows: [
      ['Phone number', number],
      ...lastDayRows(outlook),
      ...(outlook.offer ? [['Renew with', priceOf(outlook.offer.product)] satisfies [string, string]] : []),
    ],
    button: {
      text: state === 'withdrawn' ? 'Choose my next Prepay Plan' : 'Renew my Prepay Plan',
      url: `${deps.publicUrl}/services/renew/${schedule.shortId}/`,
    },
  })
  return [mail, smsOf(ending, endText(deps, number, outlook))]
}

export function endText(
  deps: OrderDeps,
  number: string,
  { daysLeft, lastDay, today }: Pick<Outlook, 'daysLeft' | 'lastDay' | 'today'>,
): string {
  const left = `${daysLeft} days left on ${number}, last day ${dayWords(lastDay, today)}.`
  if (daysLeft > 1)
    return textOf(deps, (host) => [
      `${left} Renew before then: your next plan starts ${dayWords(lastDay.add({ days: 1 }), today)} and you lose nothing. ` +
        `Log in at ${host}`,
      `${left} Renew before then and you lose nothing: log in at ${host}`,
    ])
  return textOf(deps, (host) => [
    `today is the last day for ${number}. Data, calls and texts stop at midnight. ` +
      `We keep your number ${deps.numberKeptDays} days. Renew: log in at ${host}`,
    `today is the last day for ${number}. It stops at midnight. Renew: log in at ${host}`,
  ])
}

export function cardReminder(deps: OrderDeps, ending: Ending): Letter[] {
  const { outlook } = ending
  const { endsOn, lastDay, today } = outlook
  const number = formatNational(ending.service.msisdn)
  const mail = mailOf(deps, ending, {
    subject: `Your Prepay Plan for ${number} can’t renew yet`,
    heading: 'Your plan can’t renew yet',
    paragraphs: [
      `your Prepay Plan for ${number} is set to renew automatically, but ${cardTrouble(outlook)} ${cardRemedy(deps, outlook)}.`,
      `Otherwise your plan expires on ${dayWords(endsOn, today)}, and ${dayWords(lastDay, today)} is the last day of data, ` +
        'calls and texts.',
    ],
    rows: [['Phone number', number], ...lastDayRows(outlook)],
    button: updateCard(deps),
  })
  return [mail, smsOf(ending, cardText(deps, number, { ...outlook, chargeAt: outlook.charge.at }))]
}

const cardTrouble = ({ card }: Outlook): string =>
  card ? `your ${cardWords(card)} will have expired when we charge it.` : 'there is no card to charge.'
const cardRemedy = ({ market }: OrderDeps, { card, charge, today }: Outlook): string =>
  `Please ${card ? 'update it' : 'add one'} before ${momentOf(charge.at, today, market.zone)}`

export function cardText(
  deps: OrderDeps,
  number: string,
  { card, chargeAt, today }: Pick<Outlook, 'card' | 'today'> & { chargeAt: Temporal.Instant },
): string {
  const by = momentOf(chargeAt, today, deps.market.zone)
  return textOf(deps, (host) =>
    card
      ? [
          `your ${cardWords(card)} will have expired, so ${number} can't renew. Update it by ${by}. Log in at ${host}`,
          `your card ${card.last_four} will have expired, so ${number} can't renew. Update it by ${by} at ${host}`,
        ]
      : [`there is no card to renew ${number} with. Add one by ${by}. Log in at ${host}`],
  )
}

export function nextPlanReminder(deps: OrderDeps, ending: Ending): Letter[] {
  const { queued, endsOn, today } = ending.outlook
  if (!queued) throw new Error('no plan waits')
  const number = formatNational(ending.service.msisdn)
  const mail = mailOf(deps, ending, {
    subject: `Your next Prepay Plan for ${number} starts tomorrow`,
    heading: 'Your next plan starts tomorrow',
    paragraphs: [
      `your next Prepay Plan for ${number} starts on ${dayWords(endsOn, today)}, when your current plan ends at midnight ` +
        'tonight. It’s paid for, so you don’t need to do anything.',
    ],
    rows: [
      ['Phone number', number],
      ['Next Prepay Plan', queued.product.title],
      ['Starts on', dateOf(queued.startsOn)],
      ['Last day', dateOf(queued.endsOn.subtract({ days: 1 }))],
    ],
    button: { text: 'Go to my dashboard', url: `${deps.publicUrl}/services/${ending.service.id}/` },
  })
  return [mail]
}

const mailOf = (deps: OrderDeps, ending: Ending, letter: Omit<NewMail, 'to' | 'eventKey' | 'onlyWhile'>): Letter =>
  letterTo(deps, ending.user, { ...letter, eventKey: keyOf(ending, 'plan-life'), onlyWhile: whileSo(ending) })

const smsOf = (ending: Ending, text: string): Letter => ({
  sms: {
    eventKey: keyOf(ending, 'plan-life-text'),
    to: ending.service.msisdn,
    userId: ending.service.user_id,
    text,
    onlyWhile: whileSo(ending),
  },
})

/** One key per number of days left, so that a delayed run does not repeat a message. */
const keyOf = ({ service, schedule, outlook: { daysLeft } }: Ending, what: string): string =>
  `${what}:${service.id}:ends-${daysLeft}:${schedule.expiresAt.toString()}`

const whileSo = ({ service, premise }: Ending) => ({ serviceId: service.id, premise, byDay: true })

const lastDayRows = ({ lastDay, endsOn }: Outlook): [string, string][] => [
  ['Last day', dateOf(lastDay)],
  ['Expires on', dateOf(endsOn)],
]

const dateOf = (day: Temporal.PlainDate): string => formatDate(day.toString(), 'UTC')

const priceOf = ({ title, price_cents: cents }: { title: string; price_cents: number }): string =>
  `${title}, ${formatPrice(cents)}`

const momentOf = (at: Temporal.Instant, today: Temporal.PlainDate, zone: string): string =>
  `${hourWords(at, zone)} on ${dayWords(dayOf(at, zone), today)}`
