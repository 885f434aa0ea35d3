import { setFaultListener, type FaultListener } from '#kit/web/fault.ts'

/** How many more error reports this page may send. The limit stops an endlessly repeated error from causing endless requests. */
let left = 20

const sendReport: FaultListener = (...fault) => {
  const path = location.pathname
  if (left-- <= 0) return
  Promise.all([import('#features/error-reports/web/report-error.ts'), import('./all-pages.ts')])
    .then(([{ reportError: report }, { match }]) => report(match(path), path, fault))
    .catch(() => {})
}

export function installFaultHandlers(): void {
  setFaultListener(sendReport)
  addEventListener('error', ({ error, message }) => sendReport('error', error ?? message))
  addEventListener('unhandledrejection', ({ reason }) => sendReport('rejection', reason))
}
