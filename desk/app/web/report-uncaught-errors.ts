import { deskReportPath } from '#desk/features/health/errors.contract.ts'
import { setFaultListener, type FaultListener } from '#kit/web/fault.ts'
import { matchPage, type Pages } from '#kit/web/page.ts'

/** The number of reports that this page may still send. The limit stops an error in a loop from being reported without end. */
let remainingReports = 20

export function reportUncaughtErrors(pages: Pages): void {
  const reportError: FaultListener = (...fault) => {
    const path = location.pathname
    if (remainingReports-- <= 0) return
    import('#features/error-reports/web/report-error.ts')
      .then(({ reportError: report }) => report(matchPage(pages, path), path, fault, deskReportPath))
      .catch(() => {})
  }
  setFaultListener(reportError)
  // React also reports errors that no error boundary caught as `error` events on the window.
  addEventListener('error', ({ error, message }) => reportError('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason))
}
