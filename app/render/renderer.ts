import type { FastifyInstance } from 'fastify'
import type { Bootstrap, Brand } from '#kit/contract/bootstrap.ts'
import type { Colours, BrandAssets } from '#kit/contract/brand.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Assets } from './assets.ts'
import type { HtmlSections } from './document.ts'
import type { PageNotices } from './notices.ts'

type PageRequest = {
  url: string
  api: Api
  bootstrap: Bootstrap
  visitor?: Promise<unknown> | undefined
  onError(error: unknown): void
  notices?: Promise<PageNotices | null> | undefined
}

export type RenderResult =
  | { status: 302; location: string }
  | ({ status: 200 | 404 | 500; style?: string } & HtmlSections)

export type Renderer = {
  render(request: PageRequest): Promise<RenderResult>
  /** Adds routes for the build's files. Must be called before the server starts listening. */
  registerAssets(app: FastifyInstance): void
}

export type RendererOptions = {
  mode: 'built' | 'dev'
  brand: Brand
  look: BrandAssets
}

export type SharedAssets = { assets: Assets; colours: string; paper: Colours['paper'] }

export const entry = 'app/web/entry-client.tsx'

export const base = '/static/build/'

export const noScriptMessage =
  'To log in, activate a SIM, pay or change anything here, please switch JavaScript on in your browser and allow cookies. ' +
  'You can read this page without them.'
