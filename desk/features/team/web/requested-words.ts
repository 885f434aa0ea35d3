import { minuteOf } from '#desk/features/staff/web/span-words.ts'

/** Confirmation for the person who requested a change to the team. */
export const requestedWords = (effective: string, zone: string): string =>
  `Request sent. Waiting for approval: it takes effect on ${minuteOf(effective, zone)} unless a lead or another admin declines it.`
