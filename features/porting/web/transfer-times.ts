import { formatMomentWithoutZone } from '#kit/contract/format-moment.ts'
import { appendZone, appendZoneToTime } from '#kit/contract/zone-name.ts'

type DisplayContext = Parameters<typeof formatMomentWithoutZone>[1]

/** Returns an instant's day and time as two strings: `['Mon 23 Nov', '10:04 am']`. */
function splitDayAndTime(instant: string, reader: DisplayContext): [day: string, time: string] {
  const momentText = formatMomentWithoutZone(instant, reader)
  const separatorIndex = momentText.lastIndexOf(', ')
  return [momentText.slice(0, separatorIndex), momentText.slice(separatorIndex + 2).replace(':00 ', ' ')]
}

export const formatTimeOnly = (instant: string, reader: DisplayContext): string =>
  appendZoneToTime(splitDayAndTime(instant, reader)[1], reader.zone)

export const formatWithoutRepeatedDay = (instant: string, before: string, reader: DisplayContext): string => {
  const [day, time] = splitDayAndTime(instant, reader)
  return day === splitDayAndTime(before, reader)[0]
    ? appendZoneToTime(time, reader.zone)
    : appendZone(`${day}, ${time}`, reader.zone)
}

export function formatStartTime(instant: string, reader: DisplayContext): string {
  const [day, time] = splitDayAndTime(instant, reader)
  return appendZone(`${time} on ${day}`, reader.zone)
}
