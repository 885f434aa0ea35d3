import { dayIn } from '#kit/contract/days.ts'
import type { Entitlement, UsageDetail, UsageSummary } from '#features/usage/usage.contract.ts'
import type { Days } from '../days.contract.ts'
import type { Left, NumberUse } from '../use.contract.ts'

/** Shows the plan's data allowance first, because data is the main reason to buy a plan. */
export function presentUse({ plan, addons, read_at: readAt }: UsageSummary): NumberUse {
  const read = readAt ?? plan.last_known?.read_at ?? null
  const left = plan.entitlements ?? plan.last_known?.entitlements ?? []
  const main = left.find(({ totalAllowance: { unit } }) => unit === 'GB' || unit === 'MB') ?? left[0]
  return {
    left: main && read ? { ...presentLeft(main), read } : null,
    others: left.filter((each) => each !== main).map(presentLeft),
    add_ons:
      addons?.map(({ id, name, expiry_date: ends, roaming, entitlements }) => ({
        id,
        name,
        ends,
        is_for_roaming: roaming,
        left: entitlements.map(presentLeft),
      })) ?? null,
    is_silent: readAt === null,
  }
}

const presentLeft = ({ name, totalAllowance: total, remainingAllowance: left }: Entitlement): Left => ({
  name,
  amount: left.amount,
  total: total.amount,
  unit: total.unit,
})

/** Use per day. For privacy, the result omits the numbers that the customer called or wrote to. */
export function presentDays({ data_usage, voice_usage, txt_usage, read_at }: UsageDetail, zone: string): Days {
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
