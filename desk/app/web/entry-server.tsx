import { renderPage, type RenderRequest, type RenderedPage } from '#app/web/render-page.tsx'
import { pages } from '#desk/app/pages.ts'
import { meQuery } from '#desk/features/staff/web/me.queries.ts'
import { countersQuery } from '#desk/features/counters/web/counters.queries.ts'
import { DeskShell } from './DeskShell.tsx'

export { pages }

export const render = (request: RenderRequest): Promise<RenderedPage> =>
  renderPage(DeskShell, pages, request, { everywhere: (api) => [meQuery(api), countersQuery(api)] })
