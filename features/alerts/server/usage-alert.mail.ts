import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { formatData } from '#kit/contract/plans.ts'
import { dayWords } from '#kit/server/day-words.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { greet, type MessageDeps, queueMail, queueSms, textOf } from '#features/messages/server/messages.ts'
import type { Premise } from '#features/messages/server/messages.store.ts'
import type { UseNow } from '#features/usage/server/usage.ts'
import type { AlertChannel } from '../alerts.contract.ts'

export type ReachedFacts = {
  totalMb: number
  leftMb: number
  cycleStartsAt: Temporal.Instant
  endsOn: Temporal.PlainDate
  isRenewing: boolean
  today: Temporal.PlainDate
  extraDataCents: number | null
  forecast: Awaited<ReturnType<UseNow['findForecast']>>
}

export type Reached = ReachedFacts & {
  service: { id: string; user_id: string; msisdn: string }
  threshold: number
  channel: Exclude<AlertChannel, 'off'>
  /** The actual usage, which may exceed the threshold. */
  percent: number
  premise: string
}

type Deps = MessageDeps & { brandShortName: string }

/** Queues the alert for a threshold by the customer's chosen channels, once per threshold and cycle. */
export async function sendUsageAlert(trx: Trx, deps: Deps, reached: Reached): Promise<void> {
  const { service, threshold, channel, cycleStartsAt, premise } = reached
  const onlyWhile: Premise = { serviceId: service.id, premise, byDay: threshold < 100 }
  const event = `usage-alert:${service.id}:${cycleStartsAt.toString()}:${threshold}`
  if (channel !== 'email')
    await queueSms(trx, deps, {
      eventKey: `${event}:text`,
      to: service.msisdn,
      userId: service.user_id,
      text: alertText(deps, reached),
      onlyWhile,
    })
  if (channel !== 'text') await sendLetter(trx, deps, reached, { eventKey: `${event}:mail`, onlyWhile })
}

const renewal = ({ isRenewing, endsOn, today }: ReachedFacts): string =>
  `it ${isRenewing ? 'renews' : 'expires'} on ${dayWords(endsOn, today)}`

/** Rounded down to hundredths of a GB for a plan of 1 GB or more, otherwise to whole MB, so it never exceeds the remaining data. */
const leftWords = ({ totalMb, leftMb }: ReachedFacts): string =>
  formatData((totalMb < 1000 ? Math.floor(leftMb) : 10 * Math.floor(leftMb / 10)) / 1000)

const ofAll = (facts: ReachedFacts): string => `${leftWords(facts)} of ${formatData(facts.totalMb / 1000)}`

function alertText(deps: Deps, reached: Reached): string {
  const { threshold, percent, extraDataCents: cents } = reached
  const number = formatNational(reached.service.msisdn)
  const extra = cents === null ? null : `Extra data from ${formatPrice(cents)}`
  const more = (host: string): string => (extra ? `${extra}: log in at ${host}` : `Log in at ${host}`)
  const moreInShort = (host: string): string => (extra ? `${extra} at ${host}` : `Log in at ${host}`)
  const it = renewal(reached)
  const ends = `I${it.slice(1)}.`
  if (threshold === 100) {
    const usedUp = `your data on ${number} is used up.`
    return textOf(deps, (host) => [
      `${usedUp} Calls and texts still work. ${ends} ${moreInShort(host)}`,
      `${usedUp} ${ends} ${moreInShort(host)}`,
    ])
  }
  const left = `${percent}% used. ${ofAll(reached)} left on ${number}`
  const lasting = lastingWords(reached)
  return textOf(deps, (host) => [
    ...((lasting ? [`${left}, ${lasting} ${moreInShort(host)}`] : []) as []),
    `${left} until ${it}. ${more(host)}`,
    `${left} until ${it}. ${moreInShort(host)}`,
    `${left}. ${ends} Log in at ${host}`,
  ])
}

function lastingWords(reached: Reached): string | null {
  const { forecast, today } = reached
  const it = renewal(reached)
  switch (forecast?.verdict) {
    case 'lasts':
    case 'should-last':
      return `which should last until ${it}.`
    case 'may-run-out':
      return `which may run out shortly before ${it}.`
    case 'runs-out':
      return `at this pace until about ${dayWords(forecast.runsOutOn, today)}. I${it.slice(1)}.`
    default:
      return null
  }
}

async function sendLetter(
  trx: Trx,
  deps: Deps,
  reached: Reached,
  letter: { eventKey: string; onlyWhile: Premise },
): Promise<void> {
  const { service, threshold, percent, isRenewing, endsOn } = reached
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  const number = formatNational(service.msisdn)
  const isUsedUp = threshold === 100
  const it = renewal(reached)
  await queueMail(trx, deps, {
    ...letter,
    to: user,
    subject: isUsedUp ? `Your data on ${number} is used up` : `${percent}% of your data on ${number} is used`,
    heading: isUsedUp ? 'Your data is used up' : `${percent}% of your data is used`,
    paragraphs: [
      isUsedUp
        ? `${greet(deps, user.first_name)}, your data on ${number} is used up. Calls and texts still work. I${it.slice(1)}.`
        : `${greet(deps, user.first_name)}, ${ofAll(reached)} is left on ${number} until ${it}.`,
      `Choose which alerts you get, and how: ${deps.publicUrl}/services/${service.id}/alerts/`,
    ],
    rows: [
      ['Phone number', number],
      ['Data left', ofAll(reached)],
      [isRenewing ? 'Renews on' : 'Expires on', formatDate(endsOn.toString(), 'UTC')],
      ...(reached.extraDataCents === null
        ? []
        : [['Extra data', `from ${formatPrice(reached.extraDataCents)}`] satisfies [string, string]]),
    ],
    button: { text: 'Add extra data', url: `${deps.publicUrl}/services/${service.id}/addons/` },
  })
}
