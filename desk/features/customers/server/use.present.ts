import type { UsageSummary } from '#features/usage/usage.contract.ts'
import type { NumberUse } from '../use.contract.ts'

/** What a plan is bought for, its data before all else. */
export function presentUse({ plan, read_at: readAt }: UsageSummary): NumberUse {
  const read = readAt ?? plan.last_known?.read_at ?? null
  const left = plan.entitlements ?? plan.last_known?.entitlements ?? []
  const main = left.find(({ totalAllowance: { unit } }) => unit === 'GB' || unit === 'MB') ?? left[0]
  return {
    left:
      main && read
        ? {
            name: main.name,
            amount: main.remainingAllowance.amount,
            total: main.totalAllowance.amount,
            unit: main.totalAllowance.unit,
            read,
          }
        : null,
    is_silent: readAt === null,
  }
}
