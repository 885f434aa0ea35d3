import { createHash } from 'node:crypto'
import { transact } from '#kit/server/db.ts'
import type { Report } from '../error-reports.contract.ts'
import { scrub } from '../scrub.contract.ts'
import type { ErrorReportsDeps } from './error-reports.deps.ts'
import { forwardErrorJobName, type ForwardedErrorPayload, createErrorEvent } from './error-events.ts'
import { countErrorOccurrence } from './error-reports.store.ts'

export async function recordReport(deps: ErrorReportsDeps, report: Report, requestId: string | null): Promise<void> {
  const { kind, name, frames, page, build, browser, request_id } = report
  // Our own pages scrub the message before sending it, but anybody can send a report, so scrub it again.
  const message = scrub(report.message)
  const topFrame = frames[0] ?? null
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, message, topFrame, page]))
    .digest('hex')
    .slice(0, 32)
  deps.log.error(
    { reqId: requestId, fingerprint, kind, name, message, page, frames, failed: request_id, build, browser },
    'a browser reported an error',
  )
  await transact(deps.db, (trx) =>
    countErrorOccurrence(trx, { fingerprint, kind, name, message, top_frame: topFrame, page, build }),
  )
  if (!deps.errorReporter) return
  const tags = { page, kind, browser, ...(request_id && { request_id }) }
  deps.jobs.sendInMemory(forwardErrorJobName, {
    event: { ...createErrorEvent(), side: 'browser', name, message, frames, release: build, fingerprint, tags },
  } satisfies ForwardedErrorPayload)
}
