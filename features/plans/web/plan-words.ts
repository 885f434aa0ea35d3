import { cyclesOf, dataInAll, formatData, inAll } from '#kit/contract/plans.ts'
import type { Product } from '../plans.contract.ts'

type Shape = Pick<Product, 'length' | 'data_gb'>

/**
 * How often a plan's data is given, and the total: `'every 30 days (75 GB in all)'`, or `'to use in 7 days'`.
 * Numbers stay on one line with their units.
 */
export function dataRhythm(plan: Shape): string {
  const cycles = cyclesOf(plan.length)
  if (cycles === 1) return `to use in ${together(`${plan.length} days`)}`
  const all = inAll(plan)
  return `every ${together('30 days')}${all ? ` (${together(all)})` : ''}`
}

const together = (words: string): string => words.replaceAll(' ', '\u00A0')

export const dataInShort = (plan: Shape): string => dataInAll(plan) ?? formatData(plan.data_gb)
