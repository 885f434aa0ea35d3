import { formatDate } from '#kit/contract/dates.ts'
import { formatDay } from '#kit/contract/format-moment.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { appendZone } from '#kit/contract/zone-name.ts'
import { getLastReservedDay } from '#kit/server/plan-period.ts'
import type { User } from '#features/auth/server/users.store.ts'
import {
  buildGreeting,
  type OutboxMessage,
  type CopyableContent,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import type { SendCondition } from '#features/messages/server/messages.store.ts'
import type { StatedFacts } from '#features/messages/server/stated-facts.store.ts'
import { numberRetentionMessages } from '../services.contract.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ServiceWithPlan } from './plan-life.store.ts'

/**
 * A service whose plan has ended, with its customer. `onlyWhile` is the condition for sending the message; `null` means
 * that the message is always sent.
 */
export type EndedPlan = ServiceWithPlan & {
  user: Pick<User, 'id' | 'email' | 'first_name'>
  onlyWhile: SendCondition | null
}

export function createExpiryMail(deps: PlanLifeDeps, endedPlan: EndedPlan): OutboxMessage {
  const number = formatNational(endedPlan.service.msisdn)
  return createPlanLifeMail(deps, endedPlan, {
    event: 'expiry',
    subject: `Your Prepay Plan for ${number} has expired`,
    heading: 'Your Prepay Plan has expired',
    sentences: [`your ${endedPlan.schedule.title} for ${number} has expired, so calls, texts and data no longer work.`],
  })
}

/**
 * Creates the email and the text that remind a customer that their number will be released. `days` includes today. The
 * messages are sent only on the day for which `days` is correct.
 */
export function createNumberReminder(
  deps: PlanLifeDeps,
  endedPlan: EndedPlan & { onlyWhile: SendCondition },
  days: number,
): OutboxMessage[] {
  const { msisdn } = endedPlan.service
  const number = formatNational(msisdn)
  const timeLeft = days === 1 ? 'tomorrow' : `in ${days} days`
  const eventName = `reminder-${days}`
  const mail = createPlanLifeMail(deps, endedPlan, {
    event: eventName,
    subject: `You will lose ${number} ${timeLeft}`,
    heading: `You’ll lose your number ${timeLeft}`,
    sentences: [describeNumberLoss(number, timeLeft)],
    stated: getNumberReleaseFacts(deps, endedPlan),
  })
  const smsText =
    days === 1
      ? `today is the last day to keep ${number}. You'll lose it at ${appendZone('midnight', deps.market.zone)}.`
      : `you will lose ${number} in ${days} days. The last day to keep it is ${describeLastDay(deps, endedPlan)}.`
  const sms = {
    eventKey: `plan-life-text:${buildEventKey(endedPlan, eventName)}`,
    to: msisdn,
    userId: endedPlan.service.user_id,
    text: chooseFittingSmsText(deps, (host) => [`${smsText} Renew: log in at ${host}`]),
    onlyWhile: endedPlan.onlyWhile,
  }
  return [mail, { sms }]
}

const describeNumberLoss = (number: string, timeLeft: string): string =>
  `your Prepay Plan has expired. You’ll lose ${number} ${timeLeft}, because we can’t keep it any longer.`

const describeLastDay = (deps: PlanLifeDeps, endedPlan: EndedPlan): string =>
  formatLastKeptDay(deps, getNumberReleaseFacts(deps, endedPlan)).inSentence

const getNumberReleaseFacts = (
  { clock, numberKeptDays }: PlanLifeDeps,
  { service, schedule }: EndedPlan,
): StatedFacts<'number_release'> => ({
  of: 'number_release',
  at: clock.now().toString(),
  msisdn: service.msisdn,
  plan: schedule.title,
  ends_at: schedule.expiresAt.toString(),
  kept_days: numberKeptDays,
})

function formatLastKeptDay({ market: { zone } }: Pick<PlanLifeDeps, 'market'>, stated: StatedFacts<'number_release'>) {
  const day = getLastReservedDay(Temporal.Instant.from(stated.ends_at), zone, stated.kept_days).toString()
  return { title: formatDate(day, zone), inSentence: formatDay(day, { zone, now: stated.at }) }
}

/** Returns the content of a reminder's copy, which may be sent on a later day and so gives no number of days. */
export function createNumberReleaseContent(
  deps: Pick<PlanLifeDeps, 'market'>,
  stated: StatedFacts<'number_release'>,
): CopyableContent {
  const day = formatLastKeptDay(deps, stated).inSentence
  return createEndedPlanContent(deps, stated, [describeNumberLoss(formatNational(stated.msisdn), `after ${day}`)])
}

function createEndedPlanContent(
  deps: Pick<PlanLifeDeps, 'market'>,
  stated: StatedFacts<'number_release'>,
  sentences: readonly string[],
): CopyableContent {
  const lastDay = formatLastKeptDay(deps, stated)
  return {
    paragraphs: [
      ...sentences,
      `${numberRetentionMessages.reserved(stated.kept_days)} ${numberRetentionMessages.lastDay(lastDay.inSentence)}`,
      'Renew a Prepay Plan to keep your Phone Number. ' +
        'If you don’t, it goes back to the network and we can’t get it back for you.',
    ],
    rows: [
      ['Phone number', formatNational(stated.msisdn)],
      ['Prepay Plan', stated.plan],
      ['Expired on', formatDate(stated.ends_at, deps.market.zone)],
      ['Last day to keep your number', lastDay.title],
    ],
  }
}

type PlanLifeMessage = {
  event: string
  subject: string
  heading: string
  sentences: string[]
  stated?: StatedFacts<'number_release'>
}

/** Builds a key that is unique to this end of the plan, because the same service can expire again. */
const buildEventKey = ({ service, schedule }: EndedPlan, event: string): string =>
  `${service.id}:${event}:${schedule.expiresAt.toString()}`

function createPlanLifeMail(
  deps: PlanLifeDeps,
  endedPlan: EndedPlan,
  { event, sentences, ...message }: PlanLifeMessage,
): OutboxMessage {
  const { schedule, user, onlyWhile } = endedPlan
  const content = createEndedPlanContent(deps, getNumberReleaseFacts(deps, endedPlan), sentences)
  const [first = '', ...more] = content.paragraphs
  const mail = {
    eventKey: `plan-life:${buildEventKey(endedPlan, event)}`,
    to: user,
    ...message,
    paragraphs: [`${buildGreeting(deps, user.first_name)}, ${first}`, ...more],
    rows: content.rows,
    button: { text: 'Renew my Prepay Plan', url: `${deps.publicUrl}/services/renew/${schedule.shortId}/` },
    ...(onlyWhile && { onlyWhile }),
  }
  return { mail }
}
