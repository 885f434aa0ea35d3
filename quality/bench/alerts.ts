import { hoursUntilPoll, highestReachedThreshold, type UsageReading } from '#features/alerts/server/next-poll.ts'
import { dailyUseOf, usePatterns } from './simulated-use.ts'
import { randomFrom } from './random.ts'

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
  tell(lived(services, (random, at) => dailyUseOf(usePatterns[at % usePatterns.length]!, days, random)))
  console.log(`${count} services that use no data`)
  tell(lived(services, () => Array.from({ length: days }, () => 0)))
}

function tell({ looks, byHour, late }: Tally): void {
  console.log(`  ${(looks / hours).toFixed(0)} reads an hour, ${Math.max(...byHour)} in the busiest one`)
  for (const threshold of thresholds) {
    const sortedTimes = (late[threshold] ?? []).toSorted((one, other) => one - other)
    const percentileText = (part: number) =>
      `${(sortedTimes[Math.floor(part * (sortedTimes.length - 1))] ?? 0).toFixed(1)} h`
    if (sortedTimes.length > 0)
      console.log(
        `  ${threshold} %: half are told within ${percentileText(0.5)}, 95 % within ${percentileText(0.95)}, of ${sortedTimes.length}`,
      )
  }
}

function lived(services: number, daysOfOne: (random: () => number, at: number) => number[]): Tally {
  const random = randomFrom(services)
  const tally: Tally = { looks: 0, byHour: new Uint32Array(hours), late: { 80: [], 100: [] } }
  for (let at = 0; at < services; at++) live(daysOfOne(random, at), 1 + 23 * random(), tally)
  return tally
}

function live(amounts: number[], firstLook: number, tally: Tally): void {
  const getUseByHour = cumulativeUse(amounts)
  let [last, before, sinceMb] = [0, -1, totalMb]
  for (let hour = firstLook; hour < hours;) {
    const use: UsageReading = { totalMb, leftMb: totalMb * (1 - getUseByHour(hour)), extraMb: 0, hoursGone: hour }
    tally.looks++
    tally.byHour[Math.floor(hour)]!++
    const reachedThreshold = highestReachedThreshold(use, thresholds)
    if (reachedThreshold > last) {
      tally.late[reachedThreshold]!.push(hour - findHourShareUsed(amounts, reachedThreshold / 100))
      last = reachedThreshold
    }
    const higherThresholds = thresholds.filter((threshold) => threshold > last)
    if (higherThresholds.length === 0) return
    const wait = hoursUntilPoll(use, before < 0 ? null : { leftMb: sinceMb, hoursAgo: hour - before }, higherThresholds)
    before = hour
    sinceMb = use.leftMb
    hour += wait
  }
}

function cumulativeUse(amounts: number[]): (hour: number) => number {
  const usedBeforeDay = [0]
  for (const amount of amounts) usedBeforeDay.push(usedBeforeDay.at(-1)! + amount)
  return (hour) => {
    const day = Math.floor(hour / 24)
    return Math.min(1, usedBeforeDay[day]! + (amounts[day] ?? 0) * (hour / 24 - day))
  }
}

function findHourShareUsed(amounts: number[], part: number): number {
  let used = 0
  for (const [day, amount] of amounts.entries()) {
    if (used + amount >= part) return 24 * (day + (part - used) / amount)
    used += amount
  }
  return hours
}
