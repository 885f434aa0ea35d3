import { durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { DomainRow, MessageRow, SendingTimes } from '../messages.contract.ts'

export const domainLabel = ({ domain }: Pick<MessageRow, 'domain'>): string => domain ?? 'Texts'

export const sendingTimeLabel = (pace: SendingTimes | null): string =>
  pace ? `95% within ${durationLabel(pace.most_seconds)}` : 'none sent today'

export const medianTimeLabel = (pace: SendingTimes | null): string => (pace ? durationLabel(pace.half_seconds) : '–')

export const countLabel = (count: number, most: number): string => (count >= most ? `${most}+` : String(count))

export const stuckLabel = ({ stuck, oldest_seconds: oldest }: Pick<DomainRow, 'stuck' | 'oldest_seconds'>): string =>
  oldest === null ? String(stuck) : `${stuck}, oldest ${durationLabel(oldest)}`

/** Describes the response to the last attempt. Older messages have no stored response. */
export const responseLabel = ({ answer, tries }: Pick<MessageRow, 'answer' | 'tries'>): string => {
  if (answer) return answer
  return tries === 0 ? 'Not tried yet' : 'Response unknown'
}
