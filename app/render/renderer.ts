import type { FastifyInstance } from 'fastify'
import type { Bootstrap, Brand } from '#kit/contract/bootstrap.ts'
import type { Colours, Look } from '#kit/contract/brand.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Assets } from './assets.ts'
import type { PageText } from './document.ts'
import type { PageNotices } from './notices.ts'

type PageRequest = {
  /** Path and query as in the request line. */
  url: string
  /** The API in process, with this visitor's rights. */
  api: Api
  bootstrap: Bootstrap
  /** Settles once it is known who this visitor is. */
  visitor?: Promise<unknown> | undefined
  onError(error: unknown): void
  notices?: Promise<PageNotices | null> | undefined
}

/** `style` holds the hashes (`'sha256-…'`) of the inline sheets in a built page, for its policy. */
export type PageAnswer = { status: 302; location: string } | ({ status: 200 | 404 | 500; style?: string } & PageText)

export type Renderer = {
  render(request: PageRequest): Promise<PageAnswer>
  /** Serves everything under `/static/`, `/robots.txt` and `/favicon.ico`. Must be called before the server listens. */
  registerAssets(app: FastifyInstance): void
}

export type RendererOptions = {
  /** `built` renders from `dist/`, after a build if necessary. `dev` renders from the sources, with hot reload. */
  mode: 'built' | 'dev'
  brand: Brand
  look: Look
}

/** Shared by both renderers. `colours` is the brand's sheet, which defines the colours for every other sheet. */
export type Shared = { assets: Assets; colours: string; paper: Colours['paper'] }

export const entry = 'app/web/entry-client.tsx'

/** URL path of the build's files. */
export const base = '/static/build/'

/** Any page may be the first, and each can be read without a script. */
export const needsScript =
  'To log in, activate a SIM, pay or change anything here, please switch JavaScript on in your browser and allow cookies. ' +
  'You can read this page without them.'
