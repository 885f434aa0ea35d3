/**
 * The result of a link: the address is confirmed, the account was merged into another, or the owner of the address
 * disowned the account.
 */
export type LinkEnd = 'done' | 'joined' | 'notMe'

const params: Record<LinkEnd, string> = { done: 'confirmed', joined: 'joined', notMe: 'not-me' }

export const endTitles: Record<LinkEnd, string> = {
  done: 'Email Address Confirmed',
  joined: 'Phone Number Added',
  notMe: 'Thank You',
}

/** The URL after a link is used. The page shows the result, and the URL no longer contains the token. */
export const pathOfEnd = (end: LinkEnd): string => `/verify/?${params[end]}`

/** The result in the URL; `null` when there is none. */
export function endIn(search: string): LinkEnd | null {
  const said = new URLSearchParams(search)
  return (['done', 'joined', 'notMe'] as const).find((end) => said.has(params[end])) ?? null
}

/** The link's token in the URL; `null` when the page was opened without one. */
export const tokenIn = (search: string): string | null => new URLSearchParams(search).get('token')

export const cameByLink = (search: string): boolean => tokenIn(search) !== null || endIn(search) !== null
