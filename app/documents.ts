import type { FastifyInstance } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { resolveRequestContext } from '#kit/server/resolve-request-context.ts'
import { countLimitUse } from '#kit/server/limits.ts'
import { findHistoryFile } from '#features/history/server/history.routes.ts'
import { createInvoiceFile } from '#features/invoices/server/invoice-file.ts'
import { findOwnDocument } from '#features/invoices/server/invoices.store.ts'
import { createLastDayCalendar } from '#features/services/server/last-day-calendar.ts'
import { findOwnService } from '#features/services/server/own-service.store.ts'
import type { Deps } from './deps.ts'

/**
 * Serves a customer's own downloads: invoices, credit notes, a phone number's history, and a calendar file for the number's last day. Any
 * other path gets a 404. Downloads are not under `/api/`, because every body under `/api/` is JSON. A visitor who has to log in first is
 * redirected to the page about the file, which handles the login.
 */
export function serveDocuments(app: FastifyInstance, http: HttpOptions, deps: Deps): void {
  app.get<{ Params: { uuid: string; file: string } }>('/documents/:uuid/:file', async (request, reply) => {
    const { uuid } = request.params
    const orderCode = /^(\w{1,40})\.pdf$/.exec(request.params.file)?.[1]
    const file = orderCode ? null : findDownloadFile(request.params.file)
    if (!orderCode && !file) return reply.callNotFound()
    const { user } = await resolveRequestContext(http, request, reply)
    const page = orderCode ? `invoices/${orderCode}` : (file?.page ?? '')
    if (!user?.emailVerified) return reply.redirect(`/services/${encodeURIComponent(uuid)}/${page}/`, 302)
    await countLimitUse(deps.db, [{ key: `documents:${user.id}`, times: 60, seconds: 60 }])
    const owner = { userId: user.id, serviceId: uuid }
    const found = orderCode ? await findInvoiceFile(deps, owner, orderCode) : await file?.make(deps, owner)
    if (!found) return reply.callNotFound()
    const { filename, contentType, content } = found
    return reply.type(contentType).header('content-disposition', `attachment; filename="${filename}"`).send(content)
  })
}

type Owner = { userId: string; serviceId: string }

async function findInvoiceFile(deps: Deps, owner: Owner, orderCode: string) {
  const document = await findOwnDocument(deps.db, owner, orderCode)
  return document ? createInvoiceFile(deps, document) : null
}

const downloadFiles = {
  'history.csv': { page: 'history', make: (deps: Deps, owner: Owner) => findHistoryFile(deps, owner, 'csv') },
  'history.json': { page: 'history', make: (deps: Deps, owner: Owner) => findHistoryFile(deps, owner, 'json') },
  'last-day.ics': { page: 'number', make: findLastDayFile },
} as const

const findDownloadFile = (name: string) =>
  Object.hasOwn(downloadFiles, name) ? downloadFiles[name as keyof typeof downloadFiles] : null

async function findLastDayFile(deps: Deps, { userId, serviceId }: Owner) {
  const service = await findOwnService(deps.db, userId, serviceId)
  return service ? createLastDayCalendar(deps, service) : null
}
