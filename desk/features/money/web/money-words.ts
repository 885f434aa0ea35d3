import { spanWords } from '#desk/features/staff/web/span-words.ts'

export function leftWords(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds >= 0 ? `${spanWords(seconds)} left` : `late by ${spanWords(-seconds)}`
}

export const isLate = (seconds: number | null): boolean => seconds !== null && seconds < 0
