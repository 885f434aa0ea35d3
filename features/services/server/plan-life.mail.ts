import { formatDate } from '#kit/contract/dates.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, queueMail } from '#features/messages/server/messages.ts'
import type { PlanLifeDeps } from './plan-life.deps.ts'
import type { ScheduleOfService, ServiceRow } from './plan-life.store.ts'
import { releaseAt } from '#kit/server/plan-period.ts'

/** A service whose plan has ended. */
type Ended = { service: ServiceRow; plan: ScheduleOfService }

/** The plan has ended: what that means for the number, and what to do. */
export function sendExpiryMail(trx: Trx, deps: PlanLifeDeps, ended: Ended): Promise<void> {
  const number = formatNational(ended.service.msisdn)
  return send(trx, deps, ended, {
    event: 'expiry',
    subject: `Your Prepay Plan for ${number} has expired`,
    heading: 'Your Prepay Plan has expired',
    sentences: [`your ${ended.plan.title} for ${number} has expired, so calls, texts and data no longer work.`],
  })
}

/** The number goes in so many days. */
export function sendReminder(trx: Trx, deps: PlanLifeDeps, ended: Ended, days: number): Promise<void> {
  const number = formatNational(ended.service.msisdn)
  const left = days === 1 ? 'tomorrow' : `in ${days} days`
  return send(trx, deps, ended, {
    event: `reminder-${days}`,
    subject: `You will lose ${number} ${left}`,
    heading: `Your Phone Number goes ${left}`,
    sentences: [`your Prepay Plan has expired, and we can keep ${number} for you no longer than this.`],
  })
}

type Letter = { event: string; subject: string; heading: string; sentences: string[] }

async function send(trx: Trx, deps: PlanLifeDeps, { service, plan }: Ended, letter: Letter): Promise<void> {
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  const { zone } = deps.market
  const goes = formatDate(releaseAt(plan.expiresAt, zone, deps.numberKeptDays), zone)
  const [first = '', ...more] = letter.sentences
  await queueMail(trx, deps, {
    // One for each end of a plan: a service may expire again.
    eventKey: `plan-life:${service.id}:${letter.event}:${plan.expiresAt.toString()}`,
    to: user,
    subject: letter.subject,
    heading: letter.heading,
    paragraphs: [
      `${greet(user.first_name)}, ${first}`,
      ...more,
      `Renew a Prepay Plan before ${goes} to keep your Phone Number. On that day it goes back to the network and ` +
        'we cannot get it back for you.',
    ],
    rows: [
      ['Phone number', formatNational(service.msisdn)],
      ['Prepay Plan', plan.title],
      ['Expired on', formatDate(plan.expiresAt, zone)],
    ],
    button: { text: 'Renew my Prepay Plan', url: `${deps.publicUrl}/services/renew/${plan.shortId}/` },
  })
}
