import { type Use, simulateDailyUsage } from './usage-habits.ts'
import type { Line, Product, ProductTerms, Sim, State } from './state.ts'

/** A line's remaining allowance for a period. Instants are in milliseconds since 1970; amounts are in MB, minutes or messages. */
export type Bucket = {
  id: string
  product: Product
  usageType: 'data' | 'voice' | 'sms'
  total: number
  left: number
  from: number
  to: number
}

/** A rated use of a line. For data, the amount is only the part that was covered by an allowance. */
export type RatedUsage = Use & { id: string }

export type LineUsage = { buckets: Bucket[]; uses: RatedUsage[] }

const cycleDays = 30

/**
 * Simulates a line's usage from its first plan until now, in the network's time zone. Returns all uses, and the allowances that are valid
 * now with what is left of them. Only data uses up an allowance. A plan's data is reset at the start of each of its cycles, and anything
 * left over expires. Once the plan's data has run out, add-ons are used, starting with the one that expires first.
 */
export function simulateLineUsage(
  state: State,
  { sim, line }: { sim: Sim; line: Line },
  now: number,
  zone: string,
): LineUsage {
  const cycles = line.plans.flatMap((plan, index) => listCycles(state, plan, line.plans[index + 1], zone))
  const addons = line.addons.flatMap((addon) =>
    createAllowances(addon, findProductTerms(state, addon), getAddonSpan(addon, findProductTerms(state, addon), zone)),
  )
  const used: RatedUsage[] = []
  for (const cycle of cycles) {
    const data = cycle.buckets.find(({ usageType }) => usageType === 'data')
    for (const use of listUsageInCycle(sim, cycle, now, zone)) {
      const amount = use.type === 'data' ? consumeAllowance(use.amount, use.at, data, addons) : use.amount
      if (amount > 0) used.push({ ...use, amount, id: `${sim.iccid}-${use.at}-${used.length}` })
    }
  }
  const isValidNow = ({ from, to }: Bucket): boolean => from <= now && now < to
  return { buckets: [...cycles.flatMap(({ buckets }) => buckets), ...addons].filter(isValidNow), uses: used }
}

type Cycle = { from: number; to: number; dailyMb: number; buckets: Bucket[] }

function listCycles(state: State, plan: Product, next: Product | undefined, zone: string): Cycle[] {
  const terms = findProductTerms(state, plan)
  if (!terms) return []
  const first = toLocalDay(Date.parse(plan.startsAt), zone)
  const count = Math.max(1, Math.round((terms.lengthDays / 365) * 12))
  // When the next plan starts, the current one ends immediately.
  const stop = next ? Date.parse(next.startsAt) : Infinity
  return Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? Date.parse(plan.startsAt) : startOfDay(first.add({ days: cycleDays * index }), zone)
    const lastDay = index === count - 1 ? terms.lengthDays : cycleDays * (index + 1)
    const to = Math.min(stop, startOfDay(first.add({ days: lastDay }), zone))
    const days = lastDay - cycleDays * index
    return { from, to, dailyMb: terms.dataMb / days, buckets: createAllowances(plan, terms, { from, to }, index) }
  }).filter(({ from, to }) => from < to)
}

function getAddonSpan(addon: Product, terms: ProductTerms | undefined, zone: string): { from: number; to: number } {
  const from = Date.parse(addon.startsAt)
  return { from, to: startOfDay(toLocalDay(from, zone).add({ days: terms?.lengthDays ?? 0 }), zone) }
}

function createAllowances(
  product: Product,
  terms: ProductTerms | undefined,
  span: { from: number; to: number },
  cycle = 0,
): Bucket[] {
  if (!terms) return []
  const allowances = [
    ['data', terms.dataMb],
    ['voice', terms.voiceMinutes],
    ['sms', terms.messages],
  ] as const
  return allowances.flatMap(([usageType, total]) =>
    total > 0
      ? [{ id: `${product.orderId}-${usageType}-${cycle}`, product, usageType, total, left: total, ...span }]
      : [],
  )
}

const findProductTerms = (state: State, { sku }: Product): ProductTerms | undefined => state.products.get(sku)

function listUsageInCycle(sim: Sim, { from, to, dailyMb }: Cycle, now: number, zone: string): Use[] {
  const end = Math.min(to, now + 1)
  const uses = sim.uses.filter(({ at }) => at >= from && at < end)
  if (sim.habits === 'none') return uses
  for (let day = toLocalDay(from, zone); startOfDay(day, zone) < end; day = day.add({ days: 1 })) {
    const [start, next] = [startOfDay(day, zone), startOfDay(day.add({ days: 1 }), zone)]
    uses.push(
      ...simulateDailyUsage(sim.iccid, day.toString(), {
        from: start,
        hours: (next - start) / 3_600_000,
        dailyMb,
      }).filter(({ at }) => at >= from && at < end),
    )
  }
  return uses.toSorted((a, b) => a.at - b.at)
}

function consumeAllowance(wanted: number, at: number, plan: Bucket | undefined, addons: Bucket[]): number {
  const open = addons.filter(
    ({ usageType, from, to, left }) => usageType === 'data' && from <= at && at < to && left > 0,
  )
  let taken = 0
  for (const bucket of [...(plan ? [plan] : []), ...open.toSorted((a, b) => a.to - b.to)]) {
    const part = Math.min(bucket.left, wanted - taken)
    bucket.left = roundMegabytes(bucket.left - part)
    taken = roundMegabytes(taken + part)
  }
  return taken
}

// Round amounts to hundredths of a MB, because rounding errors would otherwise add up.
const roundMegabytes = (mb: number): number => Math.round(mb * 100) / 100

const toLocalDay = (at: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()

const startOfDay = (day: Temporal.PlainDate, zone: string): number => day.toZonedDateTime(zone).epochMilliseconds
