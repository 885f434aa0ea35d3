import { withoutNumbers } from '#desk/features/orders/server/order-words.present.ts'
import type { DonorCheck } from '../ports.contract.ts'
import { donorDays, type readDonor } from './donor.view.ts'
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
