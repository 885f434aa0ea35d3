import type { FastifyInstance } from 'fastify'
import type { Bootstrap, Brand } from '#kit/contract/bootstrap.ts'
import type { Api } from '#kit/contract/endpoint.ts'

export type PageRequest = {
  /** Path and search as the request line has them. */
  url: string
  /** The API in process, as this visitor. */
  api: Api
  bootstrap: Bootstrap
}

export type PageAnswer = { status: 302; location: string } | { status: 200 | 404 | 500; html: string }

export type Renderer = {
  /** The whole answer to a visit of any path that is neither API nor static. */
  render(request: PageRequest): Promise<PageAnswer>
  /** Serves everything under `/static/`; comes before the server listens. */
  registerAssets(app: FastifyInstance): void
}

export type RendererOptions = {
  /** `built`: from `dist/`, built first if it is not; `dev`: from the sources, with hot reload. */
  mode: 'built' | 'dev'
  brand: Brand
  /** Told of a page that failed to render here. */
  onError(error: unknown): void
}

/** Where the browser's part of the portal begins. */
export const entry = 'app/web/entry-client.tsx'

/** Where its files are served. */
export const base = '/static/build/'
