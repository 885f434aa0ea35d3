import type { CustomerPromise } from './audit-records.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { RequestStatistics } from './retrying-visitor.ts'
import type { Random } from './random.ts'
import type { FaultTestWorld } from './fault-world.ts'

export type RunRecords = {
  promised: CustomerPromise[]
  figures: RequestStatistics
  begun: number
  most: number
  /**
   * Orders whose outcome a customer is waiting for. Each has a unique text as its key, and the time at which the wait began as its value.
   */
  open: Map<string, number>
  puzzles: string[]
}

export type SimulatedCustomer = {
  world: FaultTestWorld
  random: Random
  diary: RunRecords
  email: string
  browser: Visitor
}

export type FirstPurchase = { order_code: string; cents: number }

/** Plan prices in cents for customers who pay by card. */
export const plans = { 'plan-7-500mb': 600, 'plan-30-5gb': 2200, 'plan-30-15gb': 3600 } as const
export const addOns = { 'extra-500mb': 400, 'extra-2gb': 1000 } as const
export type PlanId = keyof typeof plans
export type AddOnId = keyof typeof addOns
export const planIds = Object.keys(plans) as PlanId[]
export const addOnIds = Object.keys(addOns) as AddOnId[]

export function tell(diary: RunRecords, told: CustomerPromise): void {
  const known = diary.promised.find(({ order_code: code, kind }) => code === told.order_code && kind === told.kind)
  if (known) known.said = told.said
  else diary.promised.push(told)
}

export async function trackUnfinishedAction<T>(
  { diary }: SimulatedCustomer,
  name: string,
  wait: () => Promise<T>,
): Promise<T> {
  diary.open.set(name, performance.now())
  try {
    return await wait()
  } finally {
    diary.open.delete(name)
  }
}

export const randomCardHolder = (random: Random): string =>
  random.chance(0.8) ? 'Ana Rewi' : random.pick(['TIMEOUT', 'PENDING', 'DECLINED', 'PENDING_DECLINED'])
