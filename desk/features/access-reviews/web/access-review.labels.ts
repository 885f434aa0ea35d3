import { addDays, formatShortDate } from '#kit/contract/days.ts'
import { type ReviewedAccess, type AccessReviews, reviewsPerWeek, type PastReview } from '../access-reviews.contract.ts'

export const weekLabel = (monday: string): string =>
  `${formatShortDate(monday)} to ${formatShortDate(addDays(monday, 6))}`

export function sampleLabel({ week, found }: AccessReviews): string {
  if (found === 0) return weekLabel(week)
  const drawn =
    found > reviewsPerWeek ? `${reviewsPerWeek} of ${found.toLocaleString('en-NZ')}, at random` : 'all views'
  return `${weekLabel(week)}, ${drawn}`
}

export const decisionLabel = ({ decision, decided_by: decider }: ReviewedAccess): string =>
  decision === 'asked' ? `${decider} asked for an explanation; a task was added to Today` : `Marked as OK by ${decider}`

export function pastReviewLabel({ looks, in_order: good, asked }: PastReview): string {
  if (looks === 0) return 'none to check'
  const uncheckedCount = looks - good - asked
  const parts = [
    good > 0 && `${good} marked as OK`,
    asked > 0 && `${asked} followed up`,
    uncheckedCount > 0 && `${uncheckedCount} not checked`,
  ]
  return `${looks} selected: ${parts.filter(Boolean).join(', ')}`
}
