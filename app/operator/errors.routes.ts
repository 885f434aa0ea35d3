import type { FastifyInstance } from 'fastify'
import { listErrors } from '#features/error-reports/server/error-reports.store.ts'
import type { Deps } from '../deps.ts'

export type ErrorView = {
  fingerprint: string
  count: number
  kind: string
  name: string
  message: string
  top_frame: string | null
  page: string
  build: string
  first_seen: string
  last_seen: string
}

/** As many errors of browsers as one may want to read. */
const mostErrorsShown = 50

export function errorRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get('/errors', async (): Promise<ErrorView[]> =>
    (await listErrors(db, mostErrorsShown)).map(({ first_seen, last_seen, ...error }) => ({
      ...error,
      first_seen: first_seen.toISOString(),
      last_seen: last_seen.toISOString(),
    })),
  )
}
