import type { FastifyInstance } from 'fastify'
import type { CardConfig, NetworkConfig } from '#kit/server/config/service-configs.ts'
import type { HttpOptions } from '#kit/server/http.ts'
import { buildOpenApiDocument } from '#kit/server/openapi.ts'
import { serveRoutes } from '#kit/server/serve-routes.ts'
import { findPriority } from './endpoint-priority.ts'
import { apiRoutes, pageRoutes } from './api.ts'
import { serveCallbacks } from './callbacks.ts'
import type { Deps } from './deps.ts'
import { serveDocuments } from './documents.ts'
import { serveDataExport } from './data-export.ts'
import type { Provider } from './provider/read-provider.ts'
import { createRenderer } from './render.ts'
import { serveSecurityContact } from './security-contact.ts'
import { servePages } from './serve-pages.ts'

export type ServedPortal = {
  config: { publicUrl: string; card: CardConfig; network: NetworkConfig }
  provider: Provider
  pages: 'built' | 'dev' | 'none'
  extend?(app: FastifyInstance, deps: Deps): void
}

export async function serve(
  app: FastifyInstance,
  http: HttpOptions,
  deps: Deps,
  { config, provider, pages, extend }: ServedPortal,
): Promise<void> {
  const routes = apiRoutes(deps)
  serveRoutes(app, http, routes, { admissionOf: findPriority })
  const description = buildOpenApiDocument(
    `${deps.brandName} portal`,
    routes.map(({ endpoint }) => endpoint),
  )
  app.get('/api/openapi.json', () => description)
  serveCallbacks(app, deps, config)
  serveDocuments(app, http, deps)
  serveDataExport(app, http, deps)
  serveSecurityContact(app, { contact: provider.securityContact, publicUrl: config.publicUrl })
  extend?.(app, deps)
  if (pages === 'none') return serveNotFound(app)
  const renderer = await createRenderer({ mode: pages, brand: provider.brand, look: provider.look })
  servePages(app, http, deps, { renderer, routes: [...routes, ...pageRoutes(deps)] })
}

export function serveNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.status(404).send({ code: 'Not found.' }))
}
