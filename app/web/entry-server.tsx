import { pages } from '#app/pages.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Match } from '#kit/web/page.ts'
import { readFinishedActivation } from '#features/activation/finished-activation.contract.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { readKeptUse } from '#features/usage/kept-use.contract.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { Portal } from './Portal.tsx'
import { finishedActivationQuery } from './finished-activation.ts'
import { type Kept, renderPage, type RenderRequest, type Rendered } from './render-page.tsx'

export { pages }

export const render = (request: RenderRequest): Promise<Rendered> =>
  renderPage(Portal, pages, request, {
    everywhere: (api) => [accountQuery(api), finishedActivationQuery(api, readFinishedActivation)],
    kept: lastUse,
  })

/**
 * On the page of one service, or of the only one, the last known usage is rendered at once.
 * Parts that the browser loads later, but that show this usage, are then sent with the page. Otherwise they would disappear until their
 * code loads.
 */
async function lastUse(api: Api, { page: { path }, params }: Match): Promise<Kept | null> {
  if (path !== '/' && path !== '/services/:uuid/') return null
  const { data: use } = await api.call(readKeptUse, { query: params })
  if (!use || use.summary.is_expired) return null
  const { forecast, addons } = use.summary
  const shown = [
    ...(forecast ? ['features/usage/web/Forecast.tsx'] : []),
    ...(addons?.[0] ? ['features/usage/web/AddOns.tsx'] : []),
  ]
  return {
    answers: [[usageSummaryQuery(api, use.uuid).queryKey, use.summary]],
    parts: shown.length > 0 ? ['features/dashboard/web/later-parts.ts', ...shown] : [],
  }
}
