import { dayIn } from '#kit/contract/days.ts'
import { type RestOfPlan, restOfPlan } from '#kit/contract/rest-of-plan.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import type { Starts } from '../renewal.contract.ts'
import type { Renewed } from './renewed.ts'

/** A plan that runs, and what it still holds. Days are `YYYY-MM-DD`. */
export type RunningPlan = {
  today: string
  /** The day at whose beginning it ends: the first of a plan that waits for that. */
  endsOn: string
  rest: RestOfPlan
}

/**
 * What the present plan still holds; null once it has ended. What is left of its data comes after the page, from the network, or
 * not at all.
 */
export function useRunningPlan({ service, schedule }: Renewed): RunningPlan | null {
  const { market } = useBootstrap()
  const today = useToday()
  const endsOn = dayIn(service.expiry_date, market.zone)
  const runs = !service.is_expired && today < endsOn
  const usage = useQuery({ ...usageSummaryQuery(useApi(), service.uuid), enabled: runs }).data
  if (!runs) return null
  const plan = { startsOn: schedule.starts_on, endsOn, dataGb: schedule.product.data_gb }
  return { today, endsOn, rest: restOfPlan(plan, today, usage ? dataLeft(usage, service.expiry_date) : null) }
}

/** GB of the present cycle; null when the network does not say, or spoke of an earlier plan. */
function dataLeft({ plan, expiry_date }: UsageSummary, ends: string): number | null {
  if (!plan.entitlements || Date.parse(expiry_date) !== Date.parse(ends)) return null
  const left = plan.entitlements.flatMap(({ remainingAllowance: { amount, unit } }) =>
    unit === 'GB' ? [amount] : unit === 'MB' ? [amount / 1000] : [],
  )
  return left.reduce((sum, gb) => sum + gb, 0)
}

/**
 * When the next plan starts for a customer who has not said: at the present one's end, while there is data to lose. It is not
 * changed by what the network says later, which would be under the hand of who is about to press.
 */
export const usualStart = (running: RunningPlan | null): Starts => (running?.rest.gb === 0 ? 'now' : 'at_end')
