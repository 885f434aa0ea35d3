import { type Route, route } from '#kit/server/route.ts'
import { sendReport } from '../error-reports.contract.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { errorReportLimits } from './report-limits.ts'
import { recordReport } from './error-reports.ts'

export const errorReportRoutes = (deps: ErrorReportsDeps): Route[] => [
  route(sendReport, { access: 'anyone', limits: errorReportLimits }, async ({ body, requestId }) => {
    await recordReport(deps, body, requestId)
    return {}
  }),
]
