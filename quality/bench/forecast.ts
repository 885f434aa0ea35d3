import { createForecast, type ForecastVerdict } from '#features/usage/server/forecast.ts'
import { simulateDailyUsage, usagePatterns, type UsagePattern } from './simulated-usage.ts'
import { createRandomGenerator } from './random.ts'

/*
 * Measures how often the data forecast is right. Simulated customers of five kinds look at their forecast at a fixed hour every day, and
 * each forecast is compared with how the cycle really ends. Every run gives the same figures, which docs/decisions/0077 lists.
 */

const customersPerKind = 1_600
const totalMb = 25_000
const zone = 'UTC'
const cycleStartsAt = Temporal.Instant.from('2026-11-01T00:00Z')
const verdicts: readonly ForecastVerdict[] = ['lasts', 'should-last', 'may-run-out', 'runs-out']

type Count = { said: number; right: number }
type ForecastCheck = { verdict: ForecastVerdict; isRight: boolean; daysOff: number | null }

console.log(
  `${customersPerKind * usagePatterns.length} customers. For each verdict: how often it was right, and the number of forecasts`,
)
for (const cycleDays of [30, 7]) reportForecasts(cycleDays)

function reportForecasts(cycleDays: number): void {
  const looks = new Map(usagePatterns.map((kind) => [kind, checkForecasts(kind, cycleDays)]))
  const all = [...looks.values()].flat()
  console.log(`\n${`cycle of ${cycleDays} days`.padEnd(18)}${verdicts.map((verdict) => verdict.padStart(18)).join('')}`)
  for (const [kind, of] of looks) console.log(rowOf(kind, of))
  console.log(rowOf('all', all))
  const off = all.flatMap(({ daysOff }) => (daysOff === null ? [] : [daysOff])).toSorted((a, b) => a - b)
  const computeShareWithin = (days: number) =>
    ((100 * off.filter((each) => each <= days).length) / off.length).toFixed(0)
  console.log(
    `the day on which it runs out: within 1 day ${computeShareWithin(1)} %, within 3 days ${computeShareWithin(3)} %, of ${off.length}`,
  )
}

function rowOf(name: string, looks: ForecastCheck[]): string {
  const cells = verdicts.map((verdict) => {
    const of = looks.filter((look) => look.verdict === verdict)
    const count: Count = { said: of.length, right: of.filter(({ isRight }) => isRight).length }
    return (count.said === 0 ? '–' : `${((100 * count.right) / count.said).toFixed(0)} % of ${count.said}`).padStart(18)
  })
  return `${name.padEnd(18)}${cells.join('')}`
}

function checkForecasts(kind: UsagePattern, cycleDays: number): ForecastCheck[] {
  const random = createRandomGenerator(usagePatterns.indexOf(kind) + 100 * cycleDays)
  return Array.from({ length: customersPerKind }, () => simulateDailyUsage(kind, cycleDays, random)).flatMap((days) => {
    const hour = 7 + 16 * random()
    return days.flatMap((_, day) => checkForecast(days, day + hour / 24) ?? [])
  })
}

/** Checks a single forecast, made by Fantail's own code. Each day's usage is spread evenly over its hours. */
function checkForecast(days: number[], time: number): ForecastCheck | null {
  const usageReadAt = cycleStartsAt.add({ seconds: Math.round(time * 86_400) })
  const cycleEndsAt = cycleStartsAt.add({ hours: 24 * days.length })
  const use = {
    totalMb,
    leftMb: totalMb * (1 - computeUsedShare(days, time)),
    cycleStartsAt,
    cycleEndsAt,
    readAt: usageReadAt,
  }
  const said = createForecast(use, { now: usageReadAt, zone })
  if (!said?.verdict) return null
  const end = days.findIndex((_, day) => computeUsedShare(days, day + 1) >= 1)
  const hasDataLasted = end === -1
  const isPredictedToLast = said.verdict === 'lasts' || said.verdict === 'should-last'
  const predictedDay = Math.round(countDaysBetween(cycleStartsAt, said.runsOutOn))
  return {
    verdict: said.verdict,
    isRight: isPredictedToLast === hasDataLasted,
    daysOff: said.verdict === 'runs-out' && !hasDataLasted ? Math.abs(predictedDay - end) : null,
  }
}

function computeUsedShare(days: number[], time: number): number {
  const whole = Math.floor(time)
  const wholeDaysTotal = days.slice(0, whole).reduce((sum, amount) => sum + amount, 0)
  return wholeDaysTotal + (days[whole] ?? 0) * (time - whole)
}

function countDaysBetween(start: Temporal.Instant, day: Temporal.PlainDate): number {
  return (day.toZonedDateTime(zone).epochMilliseconds - start.epochMilliseconds) / 86_400_000
}
