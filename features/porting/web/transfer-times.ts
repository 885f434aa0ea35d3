import { formatMoment } from '#kit/contract/format-moment.ts'

type DisplayContext = Parameters<typeof formatMoment>[1]

/** Returns an instant's day and time as two strings: `['Mon 23 Nov', '10:04 am']`. */
function dayAndTime(instant: string, reader: DisplayContext): [day: string, time: string] {
  const momentText = formatMoment(instant, reader)
  const separatorIndex = momentText.lastIndexOf(', ')
  return [momentText.slice(0, separatorIndex), momentText.slice(separatorIndex + 2).replace(':00 ', ' ')]
}

export const formatTimeOnly = (instant: string, reader: DisplayContext): string => dayAndTime(instant, reader)[1]

export const formatWithoutRepeatedDay = (instant: string, before: string, reader: DisplayContext): string => {
  const [day, time] = dayAndTime(instant, reader)
  return day === dayAndTime(before, reader)[0] ? time : `${day}, ${time}`
}

export function formatStart(instant: string, reader: DisplayContext): string {
  const [day, time] = dayAndTime(instant, reader)
  return `${time} on ${day}`
}
