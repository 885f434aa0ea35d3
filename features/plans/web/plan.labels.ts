import { getCycleCount, getTotalDataLabel } from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'

type PlanSize = Pick<Product, 'length' | 'data_gb'>

/**
 * How often a plan's data allowance is granted, and the total: `'every 30 days (75 GB in all)'` or `'to use in 7
 * days'`. Non-breaking spaces keep each number on one line with its unit.
 */
export function dataPerCycleLabel(plan: PlanSize): string {
  const cycles = getCycleCount(plan.length)
  if (cycles === 1) return `to use in ${withNoBreakSpaces(`${plan.length} days`)}`
  const totalDataText = getTotalDataLabel(plan)
  return `every ${withNoBreakSpaces('30 days')}${totalDataText ? ` (${withNoBreakSpaces(totalDataText)})` : ''}`
}

const withNoBreakSpaces = (text: string): string => text.replaceAll(' ', '\u00A0')
