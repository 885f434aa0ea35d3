import type { PageNeeds } from '#kit/web/page.ts'
import type { Account } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'
import { forUnverified } from './guards.ts'
import { cameByLink, endIn, endTitles } from './verify-link.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]

export const redirect: PageNeeds['redirect'] = (client, place) =>
  cameByLink(place.search) ? null : forUnverified(client, place)

/** After a reload, an account with an unconfirmed address does not see the thank-you title. */
export const title: PageNeeds['title'] = (client, { search }) => {
  const end = endIn(search)
  const isWaiting = client.getQueryData<Account>(['account'])?.user?.email_verified === false
  return end && !isWaiting ? endTitles[end] : null
}
