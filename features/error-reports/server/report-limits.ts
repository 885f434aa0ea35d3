import type { Limit } from '#kit/server/limits.ts'
import type { RawCall } from '#kit/server/route.ts'

const seconds = 3_600

// Of the thousandth report there is nothing new to learn, and made-up ones fill neither log nor table.
export const reportLimits = ({ visit }: RawCall): Limit[] => [
  { key: `errors:session:${visit.session.token}`, times: 20, seconds },
  { key: `errors:address:${visit.clientIp}`, times: 60, seconds },
  { key: 'errors:all', times: 1_000, seconds },
]
