import { deskReportPath } from '#desk/features/health/errors.contract.ts'
import { onFault, type TellFault } from '#kit/web/fault.ts'
import { matchPage, type Pages } from '#kit/web/page.ts'

/** An error in a loop must not become a loop here. */
let left = 20

/** Watches for errors from now on. What makes a report of one comes when there is something to report. */
export function watchFaults(pages: Pages): void {
  const handOver: TellFault = (...fault) => {
    const path = location.pathname
    if (left-- <= 0) return
    import('#features/error-reports/web/report.ts')
      .then(({ report }) => report(matchPage(pages, path), path, fault, deskReportPath))
      .catch(() => {})
  }
  onFault(handOver)
  // React's too, if no part of the page could catch them.
  addEventListener('error', ({ error, message }) => handOver('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => handOver('rejection', reason))
}
