import type { Api } from '#kit/contract/endpoint.ts'
import { logout } from '../login.contract.ts'

export const resetLinkNotUsedMessage =
  'You are logged in, so your link to set a new password has not been used. Log out to use this link.'

/**
 * Ends the session and then loads a new document, which removes all customer data from this tab's memory and session
 * storage.
 * @throws ApiError when the customer is still signed in
 */
export async function logOutAndReload(api: Api): Promise<void> {
  await api.call(logout, {})
  try {
    sessionStorage.clear()
    // Not every browser honours the Clear-Site-Data header, so also remove what `app/web/last-readings.ts` has stored.
    localStorage.removeItem('last-readings')
  } catch {
    // Storage is blocked by the browser, so there is nothing to remove.
  }
  location.assign('/login/')
}
