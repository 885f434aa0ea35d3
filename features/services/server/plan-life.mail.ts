import { formatDate } from '#kit/contract/dates.ts'
import { formatDay } from '#kit/contract/moments.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { lastDayKept } from '#kit/server/plan-period.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, type NewMail, queueMail, queueSms, textOf } from '#features/messages/server/messages.ts'
import type { Premise } from '#features/messages/server/messages.store.ts'
import { keptMessages } from '../services.contract.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ScheduleOfService, ServiceRow } from './plan-life.store.ts'

/** A service whose plan has ended. */
type Ended = { service: ServiceRow; plan: ScheduleOfService }

/** The plan has ended: what that means for the number, and what to do; in the morning, and only if it is still so. */
export function sendExpiryMail(trx: Trx, deps: PlanLifeDeps, ended: Ended, onlyWhile?: Premise): Promise<void> {
  const number = formatNational(ended.service.msisdn)
  return send(trx, deps, ended, {
    event: 'expiry',
    subject: `Your Prepay Plan for ${number} has expired`,
    heading: 'Your Prepay Plan has expired',
    sentences: [`your ${ended.plan.title} for ${number} has expired, so calls, texts and data no longer work.`],
    ...(onlyWhile && { onlyWhile }),
  })
}

/** The number goes in so many days, today being the last: by mail and by text, while it is so. */
export async function sendNumberReminder(
  trx: Trx,
  deps: PlanLifeDeps,
  ended: Ended,
  { days, onlyWhile }: { days: number; onlyWhile: Premise },
): Promise<void> {
  const { msisdn } = ended.service
  const number = formatNational(msisdn)
  const left = days === 1 ? 'tomorrow' : `in ${days} days`
  const event = `reminder-${days}`
  await send(trx, deps, ended, {
    event,
    subject: `You will lose ${number} ${left}`,
    heading: `Your Phone Number goes ${left}`,
    sentences: [`your Prepay Plan has expired, and we can keep ${number} for you no longer than this.`],
    onlyWhile,
  })
  const words =
    days === 1
      ? `today is the last day to keep ${number}. After midnight it is lost.`
      : `you will lose ${number} in ${days} days. The last day to keep it is ${lastDayWords(deps, ended)}.`
  await queueSms(trx, deps, {
    eventKey: `plan-life-text:${eventOf(ended, event)}`,
    to: msisdn,
    userId: ended.service.user_id,
    text: textOf(deps, (host) => [`${words} Renew: log in at ${host}`]),
    onlyWhile,
  })
}

const lastDayOf = ({ market, numberKeptDays }: PlanLifeDeps, { plan }: Ended): string =>
  lastDayKept(plan.expiresAt, market.zone, numberKeptDays).toString()
const lastDayWords = (deps: PlanLifeDeps, ended: Ended): string =>
  formatDay(lastDayOf(deps, ended), { zone: deps.market.zone, now: deps.clock.now().toString() })

type Letter = Pick<NewMail, 'subject' | 'heading' | 'onlyWhile'> & { event: string; sentences: string[] }

/** One for each end of a plan: a service may expire again. */
const eventOf = ({ service, plan }: Ended, event: string): string =>
  `${service.id}:${event}:${plan.expiresAt.toString()}`

async function send(trx: Trx, deps: PlanLifeDeps, ended: Ended, letter: Letter): Promise<void> {
  const { service, plan } = ended
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  const { zone } = deps.market
  const [first = '', ...more] = letter.sentences
  await queueMail(trx, deps, {
    eventKey: `plan-life:${eventOf(ended, letter.event)}`,
    to: user,
    subject: letter.subject,
    heading: letter.heading,
    paragraphs: [
      `${greet(deps, user.first_name)}, ${first}`,
      ...more,
      `${keptMessages.reserved(deps.numberKeptDays)} ${keptMessages.lastDay(lastDayWords(deps, ended))}`,
      'Renew a Prepay Plan to keep your Phone Number. After that day it goes back to the network and we cannot get ' +
        'it back for you.',
    ],
    rows: [
      ['Phone number', formatNational(service.msisdn)],
      ['Prepay Plan', plan.title],
      ['Expired on', formatDate(plan.expiresAt, zone)],
      ['Last day to keep it', formatDate(lastDayOf(deps, ended), zone)],
    ],
    button: { text: 'Renew my Prepay Plan', url: `${deps.publicUrl}/services/renew/${plan.shortId}/` },
    ...(letter.onlyWhile && { onlyWhile: letter.onlyWhile }),
  })
}
