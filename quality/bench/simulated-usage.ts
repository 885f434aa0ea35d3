import { sampleLogNormal } from './random.ts'

type RandomSource = () => number

type Kind = (days: number, random: RandomSource) => number[]

const each = (days: number, amount: (day: number) => number): number[] =>
  Array.from({ length: days }, (_, day) => amount(day))

export const kinds = {
  even: (days, random) => each(days, () => sampleLogNormal(random, 0.25)),
  weekend: (days, random) => {
    const first = Math.floor(random() * 7)
    return each(days, (day) => ((first + day) % 7 < 2 ? 1.9 : 0.64) * sampleLogNormal(random, 0.4))
  },
  'heavy days': (days, random) => each(days, () => sampleLogNormal(random, 1.1)),
  bursts: (days, random) => {
    let burst = 0
    return each(days, () => {
      burst = burst > 0 ? burst - 1 : random() < 0.08 ? 1 + Math.floor(random() * 4) : 0
      return (burst > 0 ? 3.6 : 0.35) * sampleLogNormal(random, 0.5)
    })
  },
  changing: (days, random) => {
    const [from, factor] = [Math.floor(random() * days), sampleLogNormal(random, 0.6)]
    return each(days, (day) => (day < from ? 1 : factor) * sampleLogNormal(random, 0.5))
  },
} as const satisfies Record<string, Kind>

export type UsagePattern = keyof typeof kinds
export const usagePatterns = Object.keys(kinds) as UsagePattern[]

/**
 * Returns a simulated customer's usage for each day of a cycle, as a share of the cycle's data. Most customers have bought slightly more
 * than they need.
 */
export function simulateDailyUsage(kind: UsagePattern, days: number, random: RandomSource): number[] {
  const need = 0.85 * sampleLogNormal(random, 0.5)
  return kinds[kind](days, random).map((amount) => (need / days) * amount)
}
