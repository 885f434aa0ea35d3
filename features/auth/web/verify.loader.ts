import type { PageLoader } from '#kit/web/page.ts'
import type { Account } from '../auth.contract.ts'
import { accountQuery } from './account.queries.ts'
import { requireUnverifiedEmail } from './guards.ts'
import { isVerificationLink, readLinkOutcome, outcomeTitles } from './verification-link.ts'

export const queries: PageLoader['queries'] = (api) => [accountQuery(api)]

export const redirect: PageLoader['redirect'] = (client, place) =>
  isVerificationLink(place.search) ? null : requireUnverifiedEmail(client, place)

/**
 * Ignore an outcome in the URL if the address is known to be unconfirmed, so that the title does not claim otherwise.
 */
export const title: PageLoader['title'] = (client, { search }) => {
  const outcome = readLinkOutcome(search)
  const isUnverified = client.getQueryData<Account>(['account'])?.user?.email_verified === false
  return outcome && !isUnverified ? outcomeTitles[outcome] : null
}
