import { pages } from '#app/pages.ts'
import { renderPage, type RenderRequest, type Rendered } from './render-page.tsx'

export { pages }

/** Renders the portal's page of a URL. */
export const render = (request: RenderRequest): Promise<Rendered> => renderPage(pages, request)
