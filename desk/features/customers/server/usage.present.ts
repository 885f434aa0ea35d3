import { dayIn } from '#kit/contract/days.ts'
import type { Entitlement, UsageDetail, UsageSummary } from '#features/usage/usage.contract.ts'
import type { UsageWeek } from '../daily-usage.contract.ts'
import type { RemainingAllowance, NumberUsage } from '../usage.contract.ts'

/** Puts the plan's data allowance first, because data is the main reason why customers buy a plan. */
export function presentUsage({ plan, addons, read_at: readAt }: UsageSummary): NumberUsage {
  const read = readAt ?? plan.last_known?.read_at ?? null
  const remainingEntitlements = plan.entitlements ?? plan.last_known?.entitlements ?? []
  const mainAllowance =
    remainingEntitlements.find(({ totalAllowance: { unit } }) => unit === 'GB' || unit === 'MB') ??
    remainingEntitlements[0]
  return {
    left: mainAllowance && read ? { ...presentRemaining(mainAllowance), read } : null,
    others: remainingEntitlements.filter((each) => each !== mainAllowance).map(presentRemaining),
    add_ons:
      addons?.map(({ id, name, expiry_date: ends, roaming, entitlements }) => ({
        id,
        name,
        ends,
        is_for_roaming: roaming,
        left: entitlements.map(presentRemaining),
      })) ?? null,
    is_silent: readAt === null,
  }
}

const presentRemaining = ({
  name,
  totalAllowance: total,
  remainingAllowance: left,
}: Entitlement): RemainingAllowance => ({
  name,
  amount: left.amount,
  total: total.amount,
  unit: total.unit,
})

/** Returns usage per day. For privacy, the result omits the numbers that the customer called or texted. */
export function presentDailyUsage(
  { data_usage, voice_usage, txt_usage, read_at }: UsageDetail,
  zone: string,
): UsageWeek {
  const calls = Map.groupBy(voice_usage, ({ date }) => dayIn(date, zone))
  const texts = Map.groupBy(txt_usage, ({ date }) => dayIn(date, zone))
  return {
    days: data_usage.map(({ date: day, value }) => ({
      day,
      megabytes: value,
      call_seconds: (calls.get(day) ?? []).reduce((sum, { duration }) => sum + duration, 0),
      texts: texts.get(day)?.length ?? 0,
    })),
    read: read_at,
  }
}
