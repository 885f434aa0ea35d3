import { spanWords } from '#desk/features/staff/web/span-words.ts'

/** For example `3 days left` or `late by 2 h`. Empty for `null`. */
export function leftWords(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds >= 0 ? `${spanWords(seconds)} left` : `late by ${spanWords(-seconds)}`
}

export const isLate = (seconds: number | null): boolean => seconds !== null && seconds < 0
