import { formatDate } from '#kit/contract/dates.ts'
import { formatPrice } from '#kit/contract/money.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import { formatRelativeDay } from '#kit/server/relative-day.ts'
import type { Trx } from '#kit/server/db.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import {
  buildGreeting,
  type MessageDeps,
  queueMail,
  queueSms,
  chooseFittingSmsText,
} from '#features/messages/server/messages.ts'
import type { SendCondition } from '#features/messages/server/messages.store.ts'
import type { CurrentUsage } from '#features/usage/server/usage.ts'
import type { AlertChannel } from '../alerts.contract.ts'

export type UsageAlertFacts = {
  totalMb: number
  leftMb: number
  cycleStartsAt: Temporal.Instant
  endsOn: Temporal.PlainDate
  isRenewing: boolean
  today: Temporal.PlainDate
  extraDataCents: number | null
  forecast: Awaited<ReturnType<CurrentUsage['findForecast']>>
}

export type UsageAlertMessage = UsageAlertFacts & {
  service: { id: string; user_id: string; msisdn: string }
  threshold: number
  channel: Exclude<AlertChannel, 'off'>
  /** How much of the data has been used, in percent. May be higher than the threshold. */
  percent: number
  premise: string
}

type UsageAlertDeps = MessageDeps & { brandShortName: string }

/** Queues the alert for a usage threshold on the channels the customer chose, once per threshold per cycle. */
export async function sendUsageAlert(trx: Trx, deps: UsageAlertDeps, usageAlert: UsageAlertMessage): Promise<void> {
  const { service, threshold, channel, cycleStartsAt, premise } = usageAlert
  const sendCondition: SendCondition = { serviceId: service.id, premise, byDay: threshold < 100 }
  const alertEventKey = `usage-alert:${service.id}:${cycleStartsAt.toString()}:${threshold}`
  if (channel !== 'email')
    await queueSms(trx, deps, {
      eventKey: `${alertEventKey}:text`,
      to: service.msisdn,
      userId: service.user_id,
      text: buildAlertSms(deps, usageAlert),
      onlyWhile: sendCondition,
    })
  if (channel !== 'text')
    await queueAlertMail(trx, deps, usageAlert, { eventKey: `${alertEventKey}:mail`, onlyWhile: sendCondition })
}

const renewalClause = ({ isRenewing, endsOn, today }: UsageAlertFacts): string =>
  `it ${isRenewing ? 'renews' : 'expires'} on ${formatRelativeDay(endsOn, today)}`

/**
 * Formats the remaining data, rounded down so that it never overstates what is left: to 0.01 GB for plans of 1 GB or
 * more, otherwise to whole MB.
 */
const formatRemainingData = ({ totalMb, leftMb }: UsageAlertFacts): string =>
  formatDataAmount((totalMb < 1000 ? Math.floor(leftMb) : 10 * Math.floor(leftMb / 10)) / 1000)

const formatRemainingOfTotal = (facts: UsageAlertFacts): string =>
  `${formatRemainingData(facts)} of ${formatDataAmount(facts.totalMb / 1000)}`

function buildAlertSms(deps: UsageAlertDeps, usageAlert: UsageAlertMessage): string {
  const { threshold, percent, extraDataCents: cents } = usageAlert
  const number = formatNational(usageAlert.service.msisdn)
  const extraDataOffer = cents === null ? null : `Extra data from ${formatPrice(cents)}`
  const loginHint = (host: string): string =>
    extraDataOffer ? `${extraDataOffer}: log in at ${host}` : `Log in at ${host}`
  const shortLoginHint = (host: string): string =>
    extraDataOffer ? `${extraDataOffer} at ${host}` : `Log in at ${host}`
  const renewalText = renewalClause(usageAlert)
  const renewalSentence = `I${renewalText.slice(1)}.`
  if (threshold === 100) {
    const usedUpSentence = `your data on ${number} is used up.`
    return chooseFittingSmsText(deps, (host) => [
      `${usedUpSentence} Calls and texts still work. ${renewalSentence} ${shortLoginHint(host)}`,
      `${usedUpSentence} ${renewalSentence} ${shortLoginHint(host)}`,
    ])
  }
  const remainingText = `${percent}% used. ${formatRemainingOfTotal(usageAlert)} left on ${number}`
  const forecastText = forecastSentence(usageAlert)
  return chooseFittingSmsText(deps, (host) => [
    ...((forecastText ? [`${remainingText}, ${forecastText} ${shortLoginHint(host)}`] : []) as []),
    `${remainingText} until ${renewalText}. ${loginHint(host)}`,
    `${remainingText} until ${renewalText}. ${shortLoginHint(host)}`,
    `${remainingText}. ${renewalSentence} Log in at ${host}`,
  ])
}

function forecastSentence(usageAlert: UsageAlertMessage): string | null {
  const { forecast, today } = usageAlert
  const renewalText = renewalClause(usageAlert)
  switch (forecast?.verdict) {
    case 'lasts':
    case 'should-last':
      return `which should last until ${renewalText}.`
    case 'may-run-out':
      return `which may run out shortly before ${renewalText}.`
    case 'runs-out':
      return `at this pace until about ${formatRelativeDay(forecast.runsOutOn, today)}. I${renewalText.slice(1)}.`
    default:
      return null
  }
}

async function queueAlertMail(
  trx: Trx,
  deps: UsageAlertDeps,
  usageAlert: UsageAlertMessage,
  outboxFields: { eventKey: string; onlyWhile: SendCondition },
): Promise<void> {
  const { service, threshold, percent, isRenewing, endsOn } = usageAlert
  const user = await findUser(trx, service.user_id)
  if (!user) throw new Error('a service without a customer')
  const number = formatNational(service.msisdn)
  const isUsedUp = threshold === 100
  const renewalText = renewalClause(usageAlert)
  const greeting = buildGreeting(deps, user.first_name)
  await queueMail(trx, deps, {
    ...outboxFields,
    to: user,
    subject: isUsedUp ? `Your data on ${number} is used up` : `You’ve used ${percent}% of your data on ${number}`,
    heading: isUsedUp ? 'Your data is used up' : `You’ve used ${percent}% of your data`,
    paragraphs: [
      isUsedUp
        ? `${greeting}, your data on ${number} is used up. Calls and texts still work. I${renewalText.slice(1)}.`
        : `${greeting}, ${formatRemainingOfTotal(usageAlert)} is left on ${number} until ${renewalText}.`,
      `Choose which alerts you get, and how: ${deps.publicUrl}/services/${service.id}/alerts/`,
    ],
    rows: [
      ['Phone number', number],
      ['Data left', formatRemainingOfTotal(usageAlert)],
      [isRenewing ? 'Renews on' : 'Expires on', formatDate(endsOn.toString(), 'UTC')],
      ...(usageAlert.extraDataCents === null
        ? []
        : [['Extra data', `from ${formatPrice(usageAlert.extraDataCents)}`] satisfies [string, string]]),
    ],
    button: { text: 'Add extra data', url: `${deps.publicUrl}/services/${service.id}/addons/` },
  })
}
