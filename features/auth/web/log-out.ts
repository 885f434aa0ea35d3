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
    // Written by `app/web/last-readings.ts`. Not every browser obeys the server's Clear-Site-Data header, so remove it
    // here too.
    localStorage.removeItem('last-readings')
  } catch {
    // Disabled storage has stored nothing.
  }
  location.assign('/login/')
}
