import { pages } from '#app/pages.ts'
import type { Api } from '#kit/contract/endpoint.ts'
import type { Match } from '#kit/web/page.ts'
import { readFinishedActivation } from '#features/activation/finished-activation.contract.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { readStoredUsage } from '#features/usage/stored-usage.contract.ts'
import { usageSummaryQuery } from '#features/usage/web/usage.queries.ts'
import { Portal } from './Portal.tsx'
import { finishedActivationQuery } from './finished-activation.ts'
import { type StoredData, renderPage, type RenderRequest, type RenderedPage } from './render-page.tsx'

export { pages }

export const render = (request: RenderRequest): Promise<RenderedPage> =>
  renderPage(Portal, pages, request, {
    everywhere: (api) => [accountQuery(api), finishedActivationQuery(api, readFinishedActivation)],
    kept: readLastKnownUsage,
  })

/**
 * Reads the last known usage for the dashboard and for a service's page, which show it immediately. The document also
 * links to the code of the lazy parts that show this usage. Otherwise those parts would disappear in the browser until
 * their code had loaded.
 */
async function readLastKnownUsage(api: Api, { page: { path }, params }: Match): Promise<StoredData | null> {
  if (path !== '/' && path !== '/services/:uuid/') return null
  const { data: use } = await api.call(readStoredUsage, { query: params })
  if (!use || use.summary.is_expired) return null
  const { forecast, addons } = use.summary
  const shownModulePaths = [
    ...(forecast ? ['features/usage/web/Forecast.tsx'] : []),
    ...(addons?.[0] ? ['features/usage/web/AddOns.tsx'] : []),
  ]
  return {
    answers: [[usageSummaryQuery(api, use.uuid).queryKey, use.summary]],
    parts: shownModulePaths.length > 0 ? ['features/dashboard/web/lazy-parts.ts', ...shownModulePaths] : [],
  }
}
