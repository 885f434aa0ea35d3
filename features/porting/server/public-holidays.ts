import type { Market } from '#kit/contract/bootstrap.ts'

// Only national public holidays count, because providers work on regional and state holidays.

/** The dates of the Matariki holiday as listed in the Te Kāhui o Matariki Public Holiday Act 2022. */
const matarikiDates = [
  '2026-07-10',
  '2027-06-25',
  '2028-07-14',
  '2029-07-06',
  '2030-06-21',
  '2031-07-11',
  '2032-07-02',
  '2033-06-24',
  '2034-07-07',
  '2035-06-29',
]

export function isPublicHoliday(day: Temporal.PlainDate, code: Market['code']): boolean {
  // New Year holidays only ever move to a later day in January, so a single year's holidays are enough.
  return listHolidays(day.year, code).some((holiday) => holiday.equals(day))
}

function listHolidays(year: number, code: Market['code']): Temporal.PlainDate[] {
  const date = (month: number, day: number) => Temporal.PlainDate.from({ year, month, day })
  const easter = computeEasterSunday(year)
  const commonHolidays = [
    easter.subtract({ days: 2 }),
    easter.add({ days: 1 }),
    ...moveWeekendPair(date(12, 25), date(12, 26)),
  ]
  if (code === 'AU') return [...commonHolidays, moveToMonday(date(1, 1)), moveToMonday(date(1, 26)), date(4, 25)]
  return [
    ...commonHolidays,
    ...moveWeekendPair(date(1, 1), date(1, 2)),
    moveToMonday(date(2, 6)),
    moveToMonday(date(4, 25)),
    findNthMonday(date(6, 1), 1),
    findNthMonday(date(10, 1), 4),
    ...matarikiDates.filter((day) => day.startsWith(String(year))).map((day) => Temporal.PlainDate.from(day)),
  ]
}

const moveToMonday = (day: Temporal.PlainDate): Temporal.PlainDate =>
  day.dayOfWeek >= 6 ? day.add({ days: 8 - day.dayOfWeek }) : day

/**
 * Moves two consecutive holidays off the weekend. Each one that falls on a weekend moves by two days, so they never
 * land on the same day.
 */
const moveWeekendPair = (...pair: Temporal.PlainDate[]): Temporal.PlainDate[] =>
  pair.map((day) => (day.dayOfWeek >= 6 ? day.add({ days: 2 }) : day))

const findNthMonday = (first: Temporal.PlainDate, occurrence: number): Temporal.PlainDate =>
  first.add({ days: ((8 - first.dayOfWeek) % 7) + (occurrence - 1) * 7 })

/** Computes Easter Sunday with Oudin's algorithm for the Gregorian calendar. */
function computeEasterSunday(year: number): Temporal.PlainDate {
  const roundDown = Math.floor
  const century = roundDown(year / 100)
  const goldenNumber = year % 19
  const correction =
    (century - roundDown(century / 4) - roundDown((8 * century + 13) / 25) + 19 * goldenNumber + 15) % 30
  const moon =
    correction -
    roundDown(correction / 28) * (1 - roundDown(29 / (correction + 1)) * roundDown((21 - goldenNumber) / 11))
  const weekday = (year + roundDown(year / 4) + moon + 2 - century + roundDown(century / 4)) % 7
  const days = moon - weekday
  const month = 3 + roundDown((days + 40) / 44)
  return Temporal.PlainDate.from({ year, month, day: days + 28 - 31 * roundDown(month / 4) })
}
