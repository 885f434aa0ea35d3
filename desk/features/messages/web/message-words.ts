import { spanWords } from '#desk/features/staff/web/span-words.ts'
import type { DomainRow, MessageRow, Pace } from '../messages.contract.ts'

export const placeWords = ({ domain }: Pick<MessageRow, 'domain'>): string => domain ?? 'Texts'

export const mostWords = (pace: Pace | null): string =>
  pace ? `95% within ${spanWords(pace.most_seconds)}` : 'none sent today'

export const halfWords = (pace: Pace | null): string => (pace ? spanWords(pace.half_seconds) : '–')

export const countWords = (count: number, most: number): string => (count >= most ? `${most}+` : String(count))

export const stuckWords = ({ stuck, oldest_seconds: oldest }: Pick<DomainRow, 'stuck' | 'oldest_seconds'>): string =>
  oldest === null ? String(stuck) : `${stuck}, oldest ${spanWords(oldest)}`

/** The answer to the last try. Older messages have none, because answers were not stored then. */
export const answerWords = ({ answer, tries }: Pick<MessageRow, 'answer' | 'tries'>): string => {
  if (answer) return answer
  return tries === 0 ? 'Not tried yet' : 'Response not known'
}
