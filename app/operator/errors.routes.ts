import type { FastifyInstance } from 'fastify'
import { type BrowserError, listErrors } from '#features/error-reports/server/error-reports.store.ts'
import { presentError } from '#desk/features/health/server/health.present.ts'
import type { Deps } from '../deps.ts'

export type ErrorView = ReturnType<typeof presentBrowserError>

const maxErrorsShown = 50

export function errorRoutes(app: FastifyInstance, { db }: Deps): void {
  app.get('/errors', async () => (await listErrors(db, maxErrorsShown)).map(presentBrowserError))
}

const presentBrowserError = (error: BrowserError) => ({ ...presentError(error), kind: error.kind, build: error.build })
