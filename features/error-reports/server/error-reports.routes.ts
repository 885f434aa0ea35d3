import type { Limit } from '#kit/server/limits.ts'
import { type RawCall, type Route, route } from '#kit/server/route.ts'
import { sendReport } from '../error-reports.contract.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { recordReport } from './error-reports.ts'

const seconds = 3_600

// Of the thousandth report there is nothing new to learn, and made-up ones fill neither log nor table.
const limits = ({ visit }: RawCall): Limit[] => [
  { key: `errors:session:${visit.session.token}`, times: 20, seconds },
  { key: `errors:address:${visit.clientIp}`, times: 60, seconds },
  { key: 'errors:all', times: 1_000, seconds },
]

export const errorReportRoutes = (deps: ErrorReportsDeps): Route[] => [
  route(sendReport, { access: 'anyone', limits }, async ({ body, requestId }) => {
    await recordReport(deps, body, requestId)
    return {}
  }),
]
