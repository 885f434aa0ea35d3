import type { FastifyInstance } from 'fastify'
import type { Bootstrap, Brand } from '#kit/contract/bootstrap.ts'
import type { Colours, Look } from '#kit/contract/brand.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Assets } from './assets.ts'
import type { PageText } from './document.ts'
import type { PageNotices } from './notices.ts'

type PageRequest = {
  /** Path and search as the request line has them. */
  url: string
  /** The API in process, as this visitor. */
  api: Api
  bootstrap: Bootstrap
  /** Settles once it is known who this visitor is. */
  visitor?: Promise<unknown> | undefined
  /** Told of a page that failed to render here. */
  onError(error: unknown): void
  /** What everybody is told now, above the page. */
  notices?: Promise<PageNotices | null> | undefined
}

/** `style`: the sources (`'sha256-…'`) of the sheets inside a built page, for its policy. */
export type PageAnswer = { status: 302; location: string } | ({ status: 200 | 404 | 500; style?: string } & PageText)

export type Renderer = {
  /** The whole answer to a visit of any path that is neither API nor static. */
  render(request: PageRequest): Promise<PageAnswer>
  /** Serves everything under `/static/`, `/robots.txt` and `/favicon.ico`; comes before the server listens. */
  registerAssets(app: FastifyInstance): void
}

export type RendererOptions = {
  /** `built`: from `dist/`, built first if it is not; `dev`: from the sources, with hot reload. */
  mode: 'built' | 'dev'
  brand: Brand
  look: Look
}

/** What both ways of rendering share; `colours`: a sheet of the brand's, which every other sheet draws with. */
export type Shared = { assets: Assets; colours: string; paper: Colours['paper'] }

/** Where the browser's part of the portal begins in development; a build has a beginning for each page. */
export const entry = 'app/web/entry-client.tsx'

/** Where its files are served. */
export const base = '/static/build/'

/** Every page may be the first, and each can be read without a script. */
export const needsScript =
  'To log in, activate a SIM, pay or change anything here, please switch JavaScript on in your browser and allow cookies. ' +
  'You can read this page without them.'
