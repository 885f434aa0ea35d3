import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatNational } from '#kit/contract/phone.ts'
import { formatDataAmount } from '#kit/contract/plans.ts'
import type { Trx } from '#kit/server/db.ts'
import { buildGreeting, type MessageDeps, queueMail } from '#features/messages/server/messages.ts'
import type { YearlyUsage } from './history.ts'

export type NumberSummary = { id: string; msisdn: string; year: YearlyUsage; cheaperPlanSentence: string | null }

type YearlySummary = {
  user: { id: string; email: string; first_name: string }
  numbers: readonly NumberSummary[]
  dueAt: Temporal.Instant
}

export async function sendYearlySummary(trx: Trx, deps: MessageDeps, summary: YearlySummary): Promise<void> {
  const { user, numbers, dueAt } = summary
  const [onlyNumber, ...otherNumbers] = numbers
  const isSingleNumber = onlyNumber !== undefined && otherNumbers.length === 0
  await queueMail(trx, deps, {
    eventKey: `yearly-summary:${user.id}:${dueAt.toString()}`,
    to: user,
    subject: 'Your last 12 months: data and spending',
    heading: 'Your last 12 months',
    paragraphs: [
      `${buildGreeting(deps, user.first_name)}, ` +
        `here’s what your ${isSingleNumber ? 'number' : `${numbers.length} numbers`} used and cost in the last 12 months.`,
      ...numbers.flatMap(({ msisdn, cheaperPlanSentence }) =>
        cheaperPlanSentence === null
          ? []
          : [isSingleNumber ? cheaperPlanSentence : `${formatNational(msisdn)}: ${cheaperPlanSentence}`],
      ),
      'You can see and download each data cycle and month in your account.',
    ],
    rows: [
      ...numbers.flatMap(summaryRows),
      ...(isSingleNumber
        ? []
        : [['Total', formatPriceWithCommas(sum(numbers.map(totalPaidCents)))] satisfies [string, string]]),
    ],
    button: isSingleNumber
      ? { text: 'See all 12 months', url: `${deps.publicUrl}/services/${onlyNumber.id}/history/` }
      : { text: 'Go to my dashboard', url: `${deps.publicUrl}/` },
  })
}

function summaryRows(number: NumberSummary): [string, string][] {
  const usedMbPerCycle = number.year.cycles.flatMap(({ used_mb: mb }) => (mb === null ? [] : [mb]))
  const unknownCycleCount = number.year.cycles.length - usedMbPerCycle.length
  return [
    ['Phone number', formatNational(number.msisdn)],
    [
      'Data used',
      usedMbPerCycle.length === 0
        ? 'Not available'
        : `${formatDataAmount(sum(usedMbPerCycle) / 1000)} in ${usedMbPerCycle.length} ` +
          `cycles${unknownCycleCount > 0 ? `, ${unknownCycleCount} not available` : ''}`,
    ],
    ...(usedMbPerCycle.length > 0
      ? [['Most data in one cycle', formatDataAmount(Math.max(...usedMbPerCycle) / 1000)] satisfies [string, string]]
      : []),
    ['Paid', formatPriceWithCommas(totalPaidCents(number))],
  ]
}

const totalPaidCents = ({ year }: NumberSummary): number => sum(year.months.map(({ cents }) => cents))

const sum = (figures: readonly number[]): number => figures.reduce((all, each) => all + each, 0)
