import type { Limit } from '#kit/server/limits.ts'
import type { RawRequest } from '#kit/server/route.ts'

const limitWindowSeconds = 3_600

// These limits stop forged reports from filling the log and the table. A thousandth report of the same error tells us nothing new.
export const errorReportLimits = ({ visit }: RawRequest): Limit[] => [
  { key: `errors:session:${visit.session.token}`, times: 20, seconds: limitWindowSeconds },
  { key: `errors:address:${visit.clientIp}`, times: 60, seconds: limitWindowSeconds },
  { key: 'errors:all', times: 1_000, seconds: limitWindowSeconds },
]
