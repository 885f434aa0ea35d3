import { formatPrice } from '#kit/contract/money.ts'
import { fromDate } from '#kit/server/clock.ts'
import { dayOf } from '#kit/server/relative-day.ts'
import type { Service } from '#features/services/services.contract.ts'
import type { DemoMessage } from '#demo/mailbox.ts'
import { zone } from '#quality/support/auto-renewal.ts'
import { type Household, look } from './household.ts'
import { formatMessage } from './format-messages.ts'

type Day = Temporal.PlainDate
type Charge = { number: string; on: Day; price: string }

type Facts = {
  today: Day
  ends(number: string): Day[]
  isCycleEnd(number: string, day: string): boolean
  charges: Charge[]
  renewals: Charge[]
  refunds: string[]
}

type MessageCheck = { says: RegExp; isSo(said: string[], facts: Facts): boolean }

const formatShortDay = (day: Day): string =>
  `${day.toLocaleString('en-US', { weekday: 'short' })} ${day.day} ${day.toLocaleString('en-US', { month: 'short' })}`
const formatPaddedDate = (day: Day): string =>
  `${String(day.day).padStart(2, '0')} ${day.toLocaleString('en-US', { month: 'short' })} ${day.year}`
const daysUntil = (today: Day, day: Day): number => today.until(day, { largestUnit: 'days' }).days
const alwaysTrue = () => true

const phoneNumberPattern = '(0[\\d ]+\\d)'
const day = '(\\w{3} \\d+ \\w{3})'
const numberRetentionDays = 50

const messageChecks: MessageCheck[] = [
  {
    says: new RegExp(`^Fantail: (\\d+) days left on ${phoneNumberPattern}, last day ${day}\\.`),
    isSo: ([days, of = '', last], { ends, today }) =>
      ends(of).some(
        (end) => daysUntil(today, end) === Number(days) && formatShortDay(end.subtract({ days: 1 })) === last,
      ),
  },
  {
    says: new RegExp(`^(\\d+) days left on ${phoneNumberPattern}$`),
    isSo: ([days, of = ''], { ends, today }) => ends(of).some((end) => daysUntil(today, end) === Number(days)),
  },
  {
    says: new RegExp(`oday is the last day (?:of your plan )?for ${phoneNumberPattern}`),
    isSo: ([of = ''], { ends, today }) => ends(of).some((end) => daysUntil(today, end) === 1),
  },
  {
    says: new RegExp(`^Your Prepay Plan for ${phoneNumberPattern} has expired$`),
    isSo: ([of = ''], { ends, today }) => ends(of).some((end) => daysUntil(today, end) === 0),
  },
  {
    says: new RegExp(
      `^Fantail: ${phoneNumberPattern} renews on ${day}\\. We charge (\\S+) to your Visa ending 1111 on ${day} at 9 am\\.`,
    ),
    isSo: ([of, renews, price, on], { ends, charges }) =>
      ends(of ?? '').some((end) => formatShortDay(end) === renews) &&
      charges.some((charge) => charge.number === of && charge.price === price && formatShortDay(charge.on) === on),
  },
  {
    says: new RegExp(`^Your Prepay Plan for ${phoneNumberPattern} renews on (\\d+ \\w{3} \\d{4})$`),
    isSo: ([of = '', renews], { ends }) => ends(of).some((end) => formatPaddedDate(end) === renews),
  },
  {
    says: new RegExp(`^Your Prepay Plan for ${phoneNumberPattern} is renewed$`),
    isSo: ([of], { renewals, today }) => renewals.some((renewal) => renewal.number === of && renewal.on.equals(today)),
  },
  {
    says: new RegExp(`^Your next Prepay Plan for ${phoneNumberPattern} starts tomorrow$`),
    isSo: ([of = ''], { ends, today }) => ends(of).some((end) => daysUntil(today, end) === 1),
  },
  {
    says: new RegExp(
      `left on ${phoneNumberPattern},? (?:which should last |which may run out shortly )?` +
        `(?:until|before) it (?:renews|expires) on ${day}\\.`,
    ),
    isSo: ([of = '', end = ''], { isCycleEnd }) => isCycleEnd(of, end),
  },
  {
    // Check only when the cycle ends, because the day on which the data runs out is an estimate.
    says: new RegExp(
      `left on ${phoneNumberPattern}, at this pace until about ${day}\\. It (?:renews|expires) on ${day}\\.`,
    ),
    isSo: ([of = '', , end = ''], { isCycleEnd }) => isCycleEnd(of, end),
  },
  {
    says: new RegExp(`^Fantail: your data on ${phoneNumberPattern} is used up\\. .* on ${day}\\.`),
    isSo: ([of = '', end = ''], { isCycleEnd }) => isCycleEnd(of, end),
  },
  {
    says: new RegExp(`you will lose ${phoneNumberPattern} in (\\d+) days\\. The last day to keep it is ${day}\\.`),
    isSo: ([of = '', days, last], { ends, today }) =>
      ends(of).some((end) => {
        const lastRetentionDay = end.add({ days: numberRetentionDays - 1 })
        return formatShortDay(lastRetentionDay) === last && daysUntil(today, lastRetentionDay) + 1 === Number(days)
      }),
  },
  {
    says: new RegExp(`today is the last day to keep ${phoneNumberPattern}\\.`),
    isSo: ([of = ''], { ends, today }) =>
      ends(of).some((end) => end.add({ days: numberRetentionDays - 1 }).equals(today)),
  },
  { says: /^Your refund of (\S+) NZD$/, isSo: ([price = ''], { refunds }) => refunds.includes(price) },
  /*
   * These messages are not checked here. Most of them report something that has just been done, or repeat another message that is checked;
   * the request to reply YES and the yearly summary have tests of their own.
   */
  {
    says: /^Welcome to |^Your new SIM is active$|^Auto-renewal is on for |^Your Add-On for .* is ready$/,
    isSo: alwaysTrue,
  },
  {
    says: /is now with Fantail Mobile$|has moved to your new SIM\.|^Reply YES by |reply YES to the text/,
    isSo: alwaysTrue,
  },
  { says: /^You will lose .* (?:tomorrow|in \d+ days)$|^Your data on .* is used up$/, isSo: alwaysTrue },
  { says: /^Your next Prepay Plan for .* is cancelled$|^Your last 12 months: data and spending$/, isSo: alwaysTrue },
]

export async function findFalseMessages(house: Household, messages: readonly DemoMessage[]): Promise<string[]> {
  await look(house)
  const known = await readYearFacts(house)
  return messages.flatMap((message) => {
    const words = message.channel === 'sms' ? message.text : message.subject
    const claim = messageChecks.find(({ says }) => says.test(words))
    if (!claim) return [`not known whether it is so: ${formatMessage(message, zone)}`]
    const said = claim.says.exec(words)?.slice(1) ?? []
    const at = Temporal.Instant.from(message.sent_at)
    const facts = { ...known, today: dayOf(at, zone), ends: (of: string) => findPlanEndDates(house, of, at) }
    return claim.isSo(said, facts) ? [] : [`not so: ${formatMessage(message, zone)}`]
  })
}

function findPlanEndDates({ snapshots }: Household, of: string, at: Temporal.Instant): Day[] {
  const after = snapshots.findIndex((snapshot) => Temporal.Instant.compare(snapshot.at, at) >= 0)
  const neighbouringSnapshots = snapshots.slice(Math.max(0, after - 1), after + 1)
  return neighbouringSnapshots
    .map(({ services }) => services.get(of))
    .filter((service): service is Service => service !== undefined)
    .map((service) => dayOf(Temporal.Instant.from(service.expiry_date), zone))
}

async function readYearFacts({ world, customer, snapshots }: Household) {
  const serviceNames = new Map(
    snapshots.flatMap(({ services }) => [...services].map(([of, { uuid }]) => [uuid, of] as const)),
  )
  const cycles = await world.db.selectFrom('cycle_usage').select(['service_id', 'ends_at']).execute()
  const ends = new Set(
    cycles.map(
      (cycle) => `${serviceNames.get(cycle.service_id)} ${formatShortDay(dayOf(fromDate(cycle.ends_at), zone))}`,
    ),
  )
  const orders = await world.db
    .selectFrom('orders')
    .select(['service_id', 'created_at', 'amount_cents', 'auto_renewal'])
    .where('user_id', '=', customer.id)
    .where('kind', '=', 'recharge')
    .where('state', 'in', ['completed', 'cancelled'])
    .execute()
  const renewals = orders.map((order) => ({
    number: serviceNames.get(order.service_id ?? '') ?? '',
    on: dayOf(fromDate(order.created_at), zone),
    price: formatPrice(order.amount_cents),
    isAuto: order.auto_renewal,
  }))
  const refunds = await world.db.selectFrom('refunds').select('amount_cents').where('state', '=', 'received').execute()
  return {
    isCycleEnd: (of: string, end: string) => ends.has(`${of} ${end}`),
    renewals,
    charges: renewals.filter(({ isAuto }) => isAuto),
    refunds: refunds.map(({ amount_cents: cents }) => formatPrice(cents)),
  }
}
