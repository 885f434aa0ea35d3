import { formatDate } from '#kit/contract/dates.ts'
import { formatDay } from '#kit/contract/moments.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { lastDayKept } from '#kit/server/plan-period.ts'
import type { User } from '#features/auth/server/users.store.ts'
import { greet, type Letter, textOf } from '#features/messages/server/messages.ts'
import type { Premise } from '#features/messages/server/messages.store.ts'
import { keptMessages } from '../services.contract.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ServiceWithPlan } from './plan-life.store.ts'

/**
 * A service whose plan has ended, with its customer. `onlyWhile` is the condition for sending the message; `null` means
 * always.
 */
export type Ended = ServiceWithPlan & { user: Pick<User, 'id' | 'email' | 'first_name'>; onlyWhile: Premise | null }

export function expiryMail(deps: PlanLifeDeps, ended: Ended): Letter {
  const number = formatNational(ended.service.msisdn)
  return mailOf(deps, ended, {
    event: 'expiry',
    subject: `Your Prepay Plan for ${number} has expired`,
    heading: 'Your Prepay Plan has expired',
    sentences: [`your ${ended.schedule.title} for ${number} has expired, so calls, texts and data no longer work.`],
  })
}

/**
 * Reminds the customer by email and by text that the number will be released. `days` counts today; messages are sent
 * only while this is still true.
 */
export function numberReminder(deps: PlanLifeDeps, ended: Ended & { onlyWhile: Premise }, days: number): Letter[] {
  const { msisdn } = ended.service
  const number = formatNational(msisdn)
  const left = days === 1 ? 'tomorrow' : `in ${days} days`
  const event = `reminder-${days}`
  const mail = mailOf(deps, ended, {
    event,
    subject: `You will lose ${number} ${left}`,
    heading: `You’ll lose your number ${left}`,
    sentences: [`your Prepay Plan has expired. You’ll lose ${number} ${left}, because we can’t keep it any longer.`],
  })
  const words =
    days === 1
      ? `today is the last day to keep ${number}. You'll lose it at midnight.`
      : `you will lose ${number} in ${days} days. The last day to keep it is ${lastDayWords(deps, ended)}.`
  const sms = {
    eventKey: `plan-life-text:${eventOf(ended, event)}`,
    to: msisdn,
    userId: ended.service.user_id,
    text: textOf(deps, (host) => [`${words} Renew: log in at ${host}`]),
    onlyWhile: ended.onlyWhile,
  }
  return [mail, { sms }]
}

const lastDayOf = ({ market, numberKeptDays }: PlanLifeDeps, { schedule }: Ended): string =>
  lastDayKept(schedule.expiresAt, market.zone, numberKeptDays).toString()
const lastDayWords = (deps: PlanLifeDeps, ended: Ended): string =>
  formatDay(lastDayOf(deps, ended), { zone: deps.market.zone, now: deps.clock.now().toString() })

type Words = { event: string; subject: string; heading: string; sentences: string[] }

/** Unique for each end of a plan, because a service can expire again. */
const eventOf = ({ service, schedule }: Ended, event: string): string =>
  `${service.id}:${event}:${schedule.expiresAt.toString()}`

function mailOf(deps: PlanLifeDeps, ended: Ended, { event, sentences, ...titles }: Words): Letter {
  const { service, schedule, user, onlyWhile } = ended
  const { zone } = deps.market
  const [first = '', ...more] = sentences
  const mail = {
    eventKey: `plan-life:${eventOf(ended, event)}`,
    to: user,
    ...titles,
    paragraphs: [
      `${greet(deps, user.first_name)}, ${first}`,
      ...more,
      `${keptMessages.reserved(deps.numberKeptDays)} ${keptMessages.lastDay(lastDayWords(deps, ended))}`,
      'Renew a Prepay Plan to keep your Phone Number. After that day it goes back to the network and we can’t get ' +
        'it back for you.',
    ],
    rows: [
      ['Phone number', formatNational(service.msisdn)],
      ['Prepay Plan', schedule.title],
      ['Expired on', formatDate(schedule.expiresAt, zone)],
      ['Last day to keep it', formatDate(lastDayOf(deps, ended), zone)],
    ] satisfies [string, string][],
    button: { text: 'Renew my Prepay Plan', url: `${deps.publicUrl}/services/renew/${schedule.shortId}/` },
    ...(onlyWhile && { onlyWhile }),
  }
  return { mail }
}
