import { logNormal } from './random.ts'

type Random = () => number

type Kind = (days: number, random: Random) => number[]

const each = (days: number, amount: (day: number) => number): number[] =>
  Array.from({ length: days }, (_, day) => amount(day))

export const kinds = {
  even: (days, random) => each(days, () => logNormal(random, 0.25)),
  weekend: (days, random) => {
    const first = Math.floor(random() * 7)
    return each(days, (day) => ((first + day) % 7 < 2 ? 1.9 : 0.64) * logNormal(random, 0.4))
  },
  'heavy days': (days, random) => each(days, () => logNormal(random, 1.1)),
  bursts: (days, random) => {
    let burst = 0
    return each(days, () => {
      burst = burst > 0 ? burst - 1 : random() < 0.08 ? 1 + Math.floor(random() * 4) : 0
      return (burst > 0 ? 3.6 : 0.35) * logNormal(random, 0.5)
    })
  },
  changing: (days, random) => {
    const [from, factor] = [Math.floor(random() * days), logNormal(random, 0.6)]
    return each(days, (day) => (day < from ? 1 : factor) * logNormal(random, 0.5))
  },
} as const satisfies Record<string, Kind>

export type UsePattern = keyof typeof kinds
export const usePatterns = Object.keys(kinds) as UsePattern[]

/**
 * Returns a simulated customer's usage for each day of a cycle, as a share of the cycle's data. Most customers have bought slightly more
 * than they need.
 */
export function dailyUseOf(kind: UsePattern, days: number, random: Random): number[] {
  const need = 0.85 * logNormal(random, 0.5)
  return kinds[kind](days, random).map((amount) => (need / days) * amount)
}
