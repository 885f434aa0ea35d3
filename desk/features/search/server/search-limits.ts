import type { Limit } from '#kit/server/limits.ts'
import type { RawRequest } from '#kit/server/route.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'

const maxSearchesPerHour = 240

/** The rate limit for customer searches. All pages that search for customers share it. */
export const searchLimits = ({ visit }: RawRequest): Limit[] => [
  { key: `desk-search:${(visit as DeskRequestContext).staff?.id}`, times: maxSearchesPerHour, seconds: 3_600 },
]
