import type { Backlog } from '#kit/server/backlog.ts'
import type { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import type { BrowserError, Queue } from '../health.contract.ts'

export const presentQueue = ({ queue, waiting, oldest, failing }: Backlog): Queue => ({
  queue,
  waiting,
  oldest_seconds: Math.round(oldest),
  failing,
})

type ErrorRow = Awaited<ReturnType<typeof listErrors>>[number]

export const presentError = (error: ErrorRow): BrowserError => ({
  fingerprint: error.fingerprint,
  count: error.count,
  name: error.name,
  message: error.message,
  top_frame: error.top_frame,
  page: error.page,
  first_seen: error.first_seen.toISOString(),
  last_seen: error.last_seen.toISOString(),
})
