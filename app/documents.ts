import type { FastifyInstance } from 'fastify'
import type { HttpOptions } from '#kit/server/http.ts'
import { resolveVisit } from '#kit/server/resolve-visit.ts'
import { countUse } from '#kit/server/limits.ts'
import { fileOf } from '#features/invoices/server/invoice-file.ts'
import { findOwnDocument } from '#features/invoices/server/invoices.store.ts'
import type { Deps } from './deps.ts'

/**
 * Invoices and credit notes to download, for their customer alone: whatever else is asked for is not there. It lies
 * outside of `/api/`, where every body is JSON. Who has to log in first is sent to the document's page, which sees to that.
 */
export function serveDocuments(app: FastifyInstance, http: HttpOptions, deps: Deps): void {
  app.get<{ Params: { uuid: string; file: string } }>('/documents/:uuid/:file', async (request, reply) => {
    const { uuid, file } = request.params
    const orderCode = /^(\w{1,40})\.pdf$/.exec(file)?.[1]
    if (!orderCode) return reply.callNotFound()
    const { user } = await resolveVisit(http, request, reply)
    if (!user?.emailVerified) return reply.redirect(`/services/${encodeURIComponent(uuid)}/invoices/${orderCode}/`, 302)
    await countUse(deps.db, [{ key: `documents:${user.id}`, times: 60, seconds: 60 }])
    const document = await findOwnDocument(deps.db, { userId: user.id, serviceId: uuid }, orderCode)
    if (!document) return reply.callNotFound()
    const { filename, contentType, content } = await fileOf(deps, document)
    return reply.type(contentType).header('content-disposition', `attachment; filename="${filename}"`).send(content)
  })
}
