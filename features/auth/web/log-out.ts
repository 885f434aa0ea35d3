import type { Api } from '#kit/contract/endpoint.ts'
import { logout } from '../login.contract.ts'

/** To who has opened the link of a mail that is for visitors. */
export const linkNotUsed =
  'You are logged in, so your link to set a new password has not been used. Log out to use this link.'

/**
 * Ends the session, then leaves with a whole new document: nothing of the customer stays in this tab, neither in memory
 * nor in its storage. @throws ApiError when they are still signed in
 */
export async function logOutHere(api: Api): Promise<void> {
  await api.call(logout, {})
  try {
    sessionStorage.clear()
    // What `app/web/last-readings.ts` keeps. Not every browser listens to the server, which says the same.
    localStorage.removeItem('last-readings')
  } catch {
    // Storage that is switched off has kept nothing.
  }
  location.assign('/login/')
}
