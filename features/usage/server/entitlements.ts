import type { ProductRow } from '#features/plans/server/plans.store.ts'
import type { Balance, UsageType } from '#providers/network/usage.port.ts'
import type { Entitlement } from '../usage.contract.ts'

type Allowances = Pick<ProductRow, 'data_gb' | 'voice_mins' | 'txt_sms'>

/**
 * A product's remaining allowances in the units shown to customers. The network reports fractions of MB, minutes and
 * messages. The results are rounded down and never exceed the total.
 */
export function createEntitlements({ data_gb, voice_mins, txt_sms }: Allowances, balances: Balance[]): Entitlement[] {
  const sumRemaining = (type: UsageType): number =>
    balances.filter((balance) => balance.type === type).reduce((sum, { remaining }) => sum + remaining, 0)
  return [
    ...(data_gb > 0 ? [createDataEntitlement(data_gb, sumRemaining('data'))] : []),
    ...(voice_mins > 0 ? [createEntitlement('Minutes', 'Mins', voice_mins, Math.floor(sumRemaining('voice')))] : []),
    ...(txt_sms > 0 ? [createEntitlement('SMS/MMS', 'SMS', txt_sms, Math.floor(sumRemaining('sms')))] : []),
  ]
}

/** A plan's entitlements. Only its data is shown, because domestic calls and texts are unlimited. */
export const createPlanEntitlements = (plan: Pick<Allowances, 'data_gb'>, balances: Balance[]): Entitlement[] =>
  createEntitlements({ data_gb: plan.data_gb, voice_mins: 0, txt_sms: 0 }, balances)

function createDataEntitlement(totalGb: number, leftMb: number): Entitlement {
  if (totalGb < 1) return createEntitlement('Data', 'MB', Math.round(totalGb * 1000), Math.floor(leftMb))
  return createEntitlement('Data', 'GB', totalGb, Math.floor(leftMb / 10) / 100)
}

const createEntitlement = (
  name: string,
  unit: Entitlement['totalAllowance']['unit'],
  total: number,
  left: number,
): Entitlement => ({
  name,
  totalAllowance: { amount: total, unit },
  remainingAllowance: { amount: Math.min(total, left), unit },
})
