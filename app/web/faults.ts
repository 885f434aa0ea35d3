import { onFault, type TellFault } from '#kit/web/fault.ts'

// Catches what goes wrong and hands it over; what makes a report of it comes when there is something to report.

/** An error in a loop must not become a loop here. */
let left = 20

const handOver: TellFault = (...fault) => {
  const path = location.pathname
  if (left-- <= 0) return
  Promise.all([import('#features/error-reports/web/report.ts'), import('./all-pages.ts')])
    .then(([{ report }, { match }]) => report(match(path), path, fault))
    .catch(() => {})
}

/** Watches for errors from now on. */
export function watchFaults(): void {
  onFault(handOver)
  // React's too, if no part of the page could catch them.
  addEventListener('error', ({ error, message }) => handOver('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => handOver('rejection', reason))
}
