import { minuteOf } from '#desk/features/staff/web/span-words.ts'

export const requestedWords = (effective: string, zone: string): string =>
  `Request sent. Waiting for approval: it takes effect on ${minuteOf(effective, zone)} unless a lead or another admin declines it.`
