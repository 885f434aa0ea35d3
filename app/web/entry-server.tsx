import { pages } from '#app/pages.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { renderPage, type RenderRequest, type Rendered } from './render-page.tsx'

export { pages }

/** Renders the portal's page of a URL. Its header says who is signed in, whatever the page. */
export const render = (request: RenderRequest): Promise<Rendered> =>
  renderPage(pages, request, (api) => [accountQuery(api)])
