import { formatSum } from '#kit/contract/sums.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { formatData } from '#kit/contract/plans.ts'
import type { Trx } from '#kit/server/db.ts'
import { greet, type MessageDeps, queueMail } from '#features/messages/server/messages.ts'
import type { Year } from './history.ts'

export type YearOfNumber = { id: string; msisdn: string; year: Year; lessWords: string | null }

type Summary = {
  user: { id: string; email: string; first_name: string }
  numbers: readonly YearOfNumber[]
  dueAt: Temporal.Instant
}

export async function sendYearlySummary(trx: Trx, deps: MessageDeps, summary: Summary): Promise<void> {
  const { user, numbers, dueAt } = summary
  const [only, ...others] = numbers
  const isOne = only !== undefined && others.length === 0
  await queueMail(trx, deps, {
    eventKey: `yearly-summary:${user.id}:${dueAt.toString()}`,
    to: user,
    subject: 'Your last 12 months: data and spend',
    heading: 'Your last 12 months',
    paragraphs: [
      `${greet(deps, user.first_name)}, here’s what your ${isOne ? 'number' : `${numbers.length} numbers`} used and cost in the ` +
        'last 12 months.',
      ...numbers.flatMap(({ msisdn, lessWords }) =>
        lessWords === null ? [] : [isOne ? lessWords : `${formatNational(msisdn)}: ${lessWords}`],
      ),
      'You can see and download each data cycle and month in your account.',
    ],
    rows: [
      ...numbers.flatMap(rowsOf),
      ...(isOne ? [] : [['Total', formatSum(sum(numbers.map(paidFor)))] satisfies [string, string]]),
    ],
    button: isOne
      ? { text: 'See all 12 months', url: `${deps.publicUrl}/services/${only.id}/history/` }
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}

function rowsOf(number: YearOfNumber): [string, string][] {
  const used = number.year.cycles.flatMap(({ used_mb: mb }) => (mb === null ? [] : [mb]))
  const unknown = number.year.cycles.length - used.length
  return [
    ['Phone number', formatNational(number.msisdn)],
    [
      'Data used',
      used.length === 0
        ? 'Not available'
        : `${formatData(sum(used) / 1000)} in ${used.length} cycles${unknown > 0 ? `, ${unknown} not available` : ''}`,
    ],
    ...(used.length > 0
      ? [['Most data in one cycle', formatData(Math.max(...used) / 1000)] satisfies [string, string]]
      : []),
    ['Paid', formatSum(paidFor(number))],
  ]
}

const paidFor = ({ year }: YearOfNumber): number => sum(year.months.map(({ cents }) => cents))

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0)
