import type { PageNeeds } from '#kit/web/page.ts'
import type { Account } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'
import { forUnverified } from './guards.ts'
import { cameByLink, endIn, endTitles } from './verify-link.ts'

export const queries: PageNeeds['queries'] = (api) => [accountQuery(api)]

/** Open to anyone who came by the link in a mail, who need not be signed in. */
export const redirect: PageNeeds['redirect'] = (client, place) =>
  cameByLink(place.search) ? null : forUnverified(client, place)

/** After a reload there are no thanks for an address that still waits. */
export const title: PageNeeds['title'] = (client, { search }) => {
  const end = endIn(search)
  const isWaiting = client.getQueryData<Account>(['account'])?.user?.email_verified === false
  return end && !isWaiting ? endTitles[end] : null
}
