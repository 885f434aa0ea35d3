import type { ErrorReportsDeps } from '#features/error-reports/server/error-reports.deps.ts'
import { errorReportLimits } from '#features/error-reports/server/report-limits.ts'
import { recordReport } from '#features/error-reports/server/error-reports.ts'
import { unknownPage } from '#features/error-reports/error-reports.contract.ts'
import { type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { sendDeskErrorReport } from '../errors.contract.ts'

/** Adds `/desk` to the path, because a portal page and a desk page can have the same path. */
const deskPagePath = (page: string): string => (page === unknownPage ? page : `/desk${page}`)

export const errorRoutes = (deps: ErrorReportsDeps): DeskRoute[] => [
  deskRoute(sendDeskErrorReport, { who: 'anyone', limits: errorReportLimits }, async ({ body, requestId }) => {
    await recordReport(deps, { ...body, page: deskPagePath(body.page) }, requestId)
    return {}
  }),
]
