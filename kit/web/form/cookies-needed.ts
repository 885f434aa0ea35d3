import { ApiError } from '#kit/contract/errors.ts'
import { useBootstrap } from '../bootstrap.tsx'

export const getCookiesNeededMessage = (brandName: string): string =>
  `${brandName} needs cookies to keep you logged in. Allow cookies for this site in your browser’s settings, then reload this page.`

export function useCookiesNeeded(): <A>(submission: Promise<A>) => Promise<A> {
  const { brand } = useBootstrap()
  return (submission) =>
    submission.catch((failure: unknown) => {
      const isRefused = failure instanceof ApiError && failure.status === 403
      throw isRefused && areCookiesBlocked()
        ? new ApiError(400, { __all__: [getCookiesNeededMessage(brand.shortName)] })
        : failure
    })
}

/** Whether cookies are blocked. Every page sets a missing `csrftoken` cookie, so a loaded page lacks it only if cookies are blocked. */
export const areCookiesBlocked = (): boolean => !document.cookie.includes('csrftoken=')
