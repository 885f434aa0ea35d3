import { deskReportPath } from '#desk/features/health/errors.contract.ts'
import { onFault, type TellFault } from '#kit/web/fault.ts'
import { matchPage, type Pages } from '#kit/web/page.ts'

/** The number of reports that this page may still send. The limit stops an error in a loop from being reported without end. */
let left = 20

export function watchFaults(pages: Pages): void {
  const handOver: TellFault = (...fault) => {
    const path = location.pathname
    if (left-- <= 0) return
    import('#features/error-reports/web/report.ts')
      .then(({ report }) => report(matchPage(pages, path), path, fault, deskReportPath))
      .catch(() => {})
  }
  onFault(handOver)
  // React reports errors that no error boundary caught as these events, too.
  addEventListener('error', ({ error, message }) => handOver('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => handOver('rejection', reason))
}
