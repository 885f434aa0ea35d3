import { dayIn } from '#kit/contract/days.ts'
import { type RemainingPlan, computeRemainingPlan } from '#kit/contract/remaining-plan.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import type { StartOption } from '../renewal.contract.ts'
import type { RenewablePlan } from './renewable-plan.ts'

/** A customer's current plan. Days are formatted as `YYYY-MM-DD`. */
export type RunningPlan = {
  today: string
  /** The plan ends at the beginning of this day, which is also the first day of a queued plan. */
  endsOn: string
  rest: RemainingPlan
}

/**
 * The current plan and what is left of it; `null` once the plan has ended. The remaining data comes from the network
 * after the page has loaded, if the network responds.
 */
export function useRunningPlan({ service, schedule }: RenewablePlan): RunningPlan | null {
  const { market } = useBootstrap()
  const today = useToday()
  const endsOn = dayIn(service.expiry_date, market.zone)
  const isRunning = !service.is_expired && today < endsOn
  const usage = useQuery({ ...usageSummaryQuery(useApi(), service.uuid), enabled: isRunning }).data
  if (!isRunning) return null
  const plan = { startsOn: schedule.starts_on, endsOn, dataGb: schedule.product.data_gb }
  return {
    today,
    endsOn,
    rest: computeRemainingPlan(plan, today, usage ? computeRemainingDataGb(usage, service.expiry_date) : null),
  }
}

/** GB left in the current cycle; `null` if the network gives no balance or still reports an earlier plan. */
function computeRemainingDataGb({ plan, expiry_date }: UsageSummary, planEndsOn: string): number | null {
  if (!plan.entitlements || Date.parse(expiry_date) !== Date.parse(planEndsOn)) return null
  const remainingAmountsGb = plan.entitlements.flatMap(({ remainingAllowance: { amount, unit } }) =>
    unit === 'GB' ? [amount] : unit === 'MB' ? [amount / 1000] : [],
  )
  return remainingAmountsGb.reduce((sum, gb) => sum + gb, 0)
}

/**
 * The start that is preselected for a renewal: the current plan's end, unless its data is used up. The preselected
 * start stays the same when the network responds later, so that it cannot change just before a click.
 */
export const getDefaultStart = (running: RunningPlan | null): StartOption => (running?.rest.gb === 0 ? 'now' : 'at_end')
