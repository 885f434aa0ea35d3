import { durationLabel } from '#desk/features/staff/web/time.labels.ts'

export function timeLeftLabel(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds >= 0 ? `${durationLabel(seconds)} left` : `late by ${durationLabel(-seconds)}`
}

export const isLate = (seconds: number | null): boolean => seconds !== null && seconds < 0
