import type { Api } from '#kit/contract/endpoint.ts'
import { logout } from '../login.contract.ts'

export const resetLinkNotUsedMessage =
  'You are logged in, so your link to set a new password has not been used. Log out to use this link.'

/**
 * Ends the session and then loads a new document, so that no customer data stays in the memory or session storage of
 * this tab.
 * @throws ApiError when the customer is still signed in
 */
export async function logOutAndReload(api: Api): Promise<void> {
  await api.call(logout, {})
  try {
    sessionStorage.clear()
    // Remove the data of `app/web/last-readings.ts` here too, because not every browser obeys the Clear-Site-Data header.
    localStorage.removeItem('last-readings')
  } catch {
    // The browser blocks storage, so there is nothing to remove.
  }
  location.assign('/login/')
}
