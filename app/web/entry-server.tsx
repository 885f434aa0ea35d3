import { pages } from '#app/pages.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Match } from '#kit/web/page.ts'
import type { Query, QueryClient } from '#kit/web/query/query-client.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import type { Service } from '#features/services/services.contract.ts'
import { servicesQuery } from '#features/services/web/services.queries.ts'
import type { UsageSummary } from '#features/usage/usage.contract.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { Portal } from './Portal.tsx'
import { renderPage, type RenderRequest, type Rendered } from './render-page.tsx'

export { pages }

/** Renders the portal's page of a URL. Its header says who is signed in, whatever the page. */
export const render = (request: RenderRequest): Promise<Rendered> =>
  renderPage(Portal, pages, request, { everywhere: (api) => [accountQuery(api)], kept: lastUse, parts: partsOfUse })

/** On the page of one service, or of the only one, what the network said last of its use is there from the first moment. */
function lastUse(api: Api, client: QueryClient, match: Match): Query<UsageSummary>[] {
  const open = openService(api, client, match)
  return open && !open.is_expired ? [usageSummaryQuery(api, open.uuid)] : []
}

/** What is shown of it by parts that come later comes with the page then, or it would be taken away again until their code is there. */
function partsOfUse(api: Api, client: QueryClient, match: Match): string[] {
  const [query] = lastUse(api, client, match)
  const use = query && client.getQueryData(query.queryKey)
  const shown = [
    ...(use?.forecast ? ['features/usage/web/Forecast.tsx'] : []),
    ...(use?.addons?.[0] ? ['features/usage/web/AddOns.tsx'] : []),
  ]
  return shown.length > 0 ? ['features/dashboard/web/later-parts.ts', ...shown] : []
}

function openService(api: Api, client: QueryClient, { page: { path }, params: { uuid } }: Match): Service | undefined {
  if (path !== '/' && path !== '/services/:uuid/') return undefined
  const services = client.getQueryData(servicesQuery(api).queryKey) ?? {}
  const all = Object.values(services)
  return uuid === undefined ? all.find(() => all.length === 1) : services[uuid]
}
