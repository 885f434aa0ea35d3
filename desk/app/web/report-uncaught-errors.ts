import { deskErrorReportPath } from '#desk/features/health/desk-error-report-path.contract.ts'
import { setFaultListener, type FaultListener } from '#kit/web/fault.ts'
import { matchPage, type Pages } from '#kit/web/page.ts'

/** How many more reports this page may send. The limit stops an endlessly repeated error from causing endless reports. */
let remainingReports = 20

export function reportUncaughtErrors(pages: Pages): void {
  const reportError: FaultListener = (...fault) => {
    const path = location.pathname
    if (remainingReports-- <= 0) return
    import('#features/error-reports/web/report-error.ts')
      .then(({ reportError: report }) => report(matchPage(pages, path), path, fault, deskErrorReportPath))
      .catch(() => {})
  }
  setFaultListener(reportError)
  // Errors that no React error boundary catches also arrive as `error` events on the window.
  addEventListener('error', ({ error, message }) => reportError('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => reportError('rejection', reason))
}
