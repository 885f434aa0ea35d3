import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import { reasonOf } from '#features/porting/server/port-failure.ts'
import type { DonorCheck, PortFigures } from '../ports.contract.ts'
import { donorDays, type FailureRow, figuresDays, type readDonor, type readDonors } from './donor.view.ts'
import type { PortRules } from './port-words.present.ts'

/** As many as have room. */
const mostReasons = 5

/** What to expect of a provider: what came of the transfers from it. */
export function presentDonor(
  { failureOfPort }: Pick<PortRules, 'failureOfPort'>,
  { rows, medianSeconds }: Awaited<ReturnType<typeof readDonor>>,
): DonorCheck {
  const timesOf = (...statuses: string[]): number =>
    rows.reduce((sum, { status, times }) => sum + (statuses.includes(status) ? times : 0), 0)
  const failed = rows.filter(({ status }) => status === 'FAILED')
  return {
    days: donorDays,
    moved: timesOf('COMPLETED'),
    declined: timesOf('FAILED'),
    called_off: timesOf('CANCELLED'),
    under_way: timesOf('NEW', 'SUBMITTED', 'CANCELLING'),
    median_seconds: medianSeconds,
    reasons: failed
      .toSorted((one, other) => other.times - one.times)
      .slice(0, mostReasons)
      .map(({ code, times }) => ({
        words: reasonWords[failureOfPort(code) ?? 'other'],
        code: code && withoutNumbers(code),
        times,
      })),
  }
}

const reasonWords = {
  donor_mismatch: 'SIM or account number is another',
  no_reply: 'No answer in time',
  said_no: 'Somebody said no',
  other: 'Another reason',
} as const

/** How transfers went of late, over all providers. */
export function presentFigures(
  rules: Pick<PortRules, 'failureOfPort'>,
  { donors, failures }: Awaited<ReturnType<typeof readDonors>>,
): PortFigures {
  const told = failures.map((row) => ({ ...failureIn(rules, row), times: row.times }))
  const reasons = [...Map.groupBy(told, ({ words, code }) => `${words} ${code ?? ''}`).values()].flatMap((alike) => {
    const [first] = alike
    return first ? [{ ...first, times: alike.reduce((sum, { times }) => sum + times, 0) }] : []
  })
  return {
    days: figuresDays,
    donors: donors.map(({ name, asked, came, medianSeconds }) => ({
      name,
      asked,
      came,
      median_seconds: medianSeconds,
    })),
    failed: reasons.reduce((sum, { times }) => sum + times, 0),
    reasons: reasons
      .toSorted((one, other) => other.times - one.times)
      .slice(0, mostReasons)
      .map(({ words, code, times }) => ({ words, code, times })),
  }
}

/** In our words; the network's code only where we have none. */
function failureIn(
  rules: Pick<PortRules, 'failureOfPort'>,
  { code, billing_method }: FailureRow,
): { words: string; code: string | null } {
  const reason = reasonOf(rules, { status: 'FAILED', failure_code: code, billing_method })
  if (reason && reason !== 'cancelled') return { words: failureWords[reason], code: null }
  return { words: reasonWords.other, code: code && withoutNumbers(code) }
}

const failureWords = {
  sim_number: 'SIM number wrong',
  account_number: 'Account number wrong',
  no_reply: 'No answer in time',
  said_no: 'Somebody said no',
} as const
