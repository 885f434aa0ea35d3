import { onFault, type TellFault } from '#kit/web/fault.ts'

/** Maximum number of reports, so that an error in a loop does not become a loop here. */
let left = 20

const handOver: TellFault = (...fault) => {
  const path = location.pathname
  if (left-- <= 0) return
  Promise.all([import('#features/error-reports/web/report.ts'), import('./all-pages.ts')])
    .then(([{ report }, { match }]) => report(match(path), path, fault))
    .catch(() => {})
}

export function watchFaults(): void {
  onFault(handOver)
  addEventListener('error', ({ error, message }) => handOver('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => handOver('rejection', reason))
}
