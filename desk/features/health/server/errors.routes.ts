import type { ErrorReportsDeps } from '#features/error-reports/server/error-reports.deps.ts'
import { reportLimits } from '#features/error-reports/server/report-limits.ts'
import { recordReport } from '#features/error-reports/server/error-reports.ts'
import { unknownPage } from '#features/error-reports/error-reports.contract.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { sendDeskReport } from '../errors.contract.ts'

/** Where the desk's pages are told from the portal's, which have the same beginnings. */
const atDesk = (page: string): string => (page === unknownPage ? page : `/desk${page}`)

/** Errors in browsers at the desk are told where those of the portal are: in the log, in `operator errors`, to the service. */
export const errorRoutes = (deps: ErrorReportsDeps): DeskRoute[] => [
  deskRoute(sendDeskReport, { who: 'anyone', limits: reportLimits }, async ({ body, requestId }) => {
    await recordReport(deps, { ...body, page: atDesk(body.page) }, requestId)
    return {}
  }),
]
