import { formatMoment } from '#kit/contract/moments.ts'

type Reader = Parameters<typeof formatMoment>[1]

/** The day and the time of an instant, separately: `['Mon 23 Nov', '10:04 am']`. */
function dayAndTime(instant: string, reader: Reader): [day: string, time: string] {
  const moment = formatMoment(instant, reader)
  const cut = moment.lastIndexOf(', ')
  return [moment.slice(0, cut), moment.slice(cut + 2).replace(':00 ', ' ')]
}

export const timeOf = (instant: string, reader: Reader): string => dayAndTime(instant, reader)[1]

export const momentAfter = (instant: string, before: string, reader: Reader): string => {
  const [day, time] = dayAndTime(instant, reader)
  return day === dayAndTime(before, reader)[0] ? time : `${day}, ${time}`
}

export function startOf(instant: string, reader: Reader): string {
  const [day, time] = dayAndTime(instant, reader)
  return `${time} on ${day}`
}
