import { ApiError } from '#kit/contract/errors.ts'
import { useBootstrap } from '../bootstrap.tsx'
import { cookieMark } from '../csrf.ts'

export const cookiesNeeded = (brandName: string): string =>
  `${brandName} needs cookies to keep you signed in. Allow cookies for this site in your browser’s settings, then reload this page.`

/**
 * Wraps the submission of a form that works without an account. The server refuses it with 403 when the browser does not
 * send its session cookie; the form then says that cookies are needed.
 */
export function useCookiesNeeded(): <A>(submission: Promise<A>) => Promise<A> {
  const { brand } = useBootstrap()
  return (submission) =>
    submission.catch((failure: unknown) => {
      const isRefused = failure instanceof ApiError && failure.status === 403
      throw isRefused && isCookieMissing() ? new ApiError(400, { __all__: [cookiesNeeded(brand.shortName)] }) : failure
    })
}

/** Whether this browser blocks cookies, as far as it is known before a call. Chromium still has `cookieEnabled` then, but no storage. */
export const areCookiesBlocked = (): boolean => !navigator.cookieEnabled || (isCookieMissing() && isStorageBlocked())

/** Every response to a browser without the `csrftoken` cookie sets it, so after a call it is missing only where cookies are blocked. */
const isCookieMissing = (): boolean => !navigator.cookieEnabled || cookieMark('csrftoken') === ''

function isStorageBlocked(): boolean {
  try {
    sessionStorage.getItem('')
    return false
  } catch {
    return true
  }
}
