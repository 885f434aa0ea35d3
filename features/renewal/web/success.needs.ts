import type { PageNeeds } from '#kit/web/page.ts'
import { accountQuery } from '#features/auth/web/account.queries.ts'
import { forCustomers } from '#features/auth/web/guards.ts'
import { pageServicesQuery } from '#features/services/web/services.queries.ts'

export const queries: PageNeeds['queries'] = (api, params, search) => [
  accountQuery(api),
  pageServicesQuery(api, params, search),
]

/** Spec 2.8: without an order in the address, the page redirects. */
export const redirect: PageNeeds['redirect'] = (client, place) =>
  forCustomers(client, place) ?? (new URLSearchParams(place.search).get('order') ? null : '/')
