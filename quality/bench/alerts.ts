import {
  computeHoursUntilPoll,
  getHighestReachedThreshold,
  type UsageReading,
} from '#features/alerts/server/next-poll.ts'
import { simulateDailyUsage, usagePatterns } from './simulated-usage.ts'
import { createRandomGenerator } from './random.ts'

/*
 * Simulates how often the network must be polled for customers to hear about their usage in time. Simulated customers of five kinds live
 * through a 30-day cycle, and each customer's usage is checked whenever Fantail would check it. As the worst case, all cycles begin at the
 * same midnight. The simulation leaves out the nightly pause. Every run gives the same figures, which docs/decisions/0042 lists.
 */

const days = 30
const hours = 24 * days
const totalMb = 25_000
const thresholds = [80, 100]

type Tally = {
  looks: number
  byHour: Uint32Array
  /** The hours between usage reaching a threshold and the alert. */
  late: Record<number, number[]>
}

for (const services of [1_000, 1_000_000]) {
  const count = services.toLocaleString('en-NZ')
  console.log(`\n${count} services that use data, in five patterns`)
  tell(lived(services, (random, at) => simulateDailyUsage(usagePatterns[at % usagePatterns.length]!, days, random)))
  console.log(`${count} services that use no data`)
  tell(lived(services, () => Array.from({ length: days }, () => 0)))
}

function tell({ looks, byHour, late }: Tally): void {
  console.log(`  ${(looks / hours).toFixed(0)} reads an hour, ${Math.max(...byHour)} in the busiest one`)
  for (const threshold of thresholds) {
    const sortedTimes = (late[threshold] ?? []).toSorted((one, other) => one - other)
    const formatPercentile = (part: number) =>
      `${(sortedTimes[Math.floor(part * (sortedTimes.length - 1))] ?? 0).toFixed(1)} h`
    if (sortedTimes.length > 0)
      console.log(
        `  ${threshold} %: half are told within ${formatPercentile(0.5)}, 95 % within ${formatPercentile(0.95)}, of ${sortedTimes.length}`,
      )
  }
}

function lived(services: number, daysOfOne: (random: () => number, at: number) => number[]): Tally {
  const random = createRandomGenerator(services)
  const tally: Tally = { looks: 0, byHour: new Uint32Array(hours), late: { 80: [], 100: [] } }
  for (let at = 0; at < services; at++) live(daysOfOne(random, at), 1 + 23 * random(), tally)
  return tally
}

function live(amounts: number[], firstLook: number, tally: Tally): void {
  const getCumulativeUse = createUsageLookup(amounts)
  let [last, before, sinceMb] = [0, -1, totalMb]
  for (let hour = firstLook; hour < hours;) {
    const use: UsageReading = { totalMb, leftMb: totalMb * (1 - getCumulativeUse(hour)), extraMb: 0, hoursGone: hour }
    tally.looks++
    tally.byHour[Math.floor(hour)]!++
    const reachedThreshold = getHighestReachedThreshold(use, thresholds)
    if (reachedThreshold > last) {
      tally.late[reachedThreshold]!.push(hour - findHourReachingShare(amounts, reachedThreshold / 100))
      last = reachedThreshold
    }
    const higherThresholds = thresholds.filter((threshold) => threshold > last)
    if (higherThresholds.length === 0) return
    const wait = computeHoursUntilPoll(
      use,
      before < 0 ? null : { leftMb: sinceMb, hoursAgo: hour - before },
      higherThresholds,
    )
    before = hour
    sinceMb = use.leftMb
    hour += wait
  }
}

function createUsageLookup(amounts: number[]): (hour: number) => number {
  const usageBeforeDay = [0]
  for (const amount of amounts) usageBeforeDay.push(usageBeforeDay.at(-1)! + amount)
  return (hour) => {
    const day = Math.floor(hour / 24)
    return Math.min(1, usageBeforeDay[day]! + (amounts[day] ?? 0) * (hour / 24 - day))
  }
}

function findHourReachingShare(amounts: number[], part: number): number {
  let used = 0
  for (const [day, amount] of amounts.entries()) {
    if (used + amount >= part) return 24 * (day + (part - used) / amount)
    used += amount
  }
  return hours
}
