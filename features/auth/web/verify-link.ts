/** How a link ended: the address is confirmed, the account is part of another, or it was another person's. */
export type LinkEnd = 'done' | 'joined' | 'notMe'

const params: Record<LinkEnd, string> = { done: 'confirmed', joined: 'joined', notMe: 'not-me' }

/** What the page is called once it has nothing to ask for any more. */
export const endTitles: Record<LinkEnd, string> = {
  done: 'Email Address Confirmed',
  joined: 'Phone Number Added',
  notMe: 'Thank You',
}

/** Where a link leads once it is used up: whoever came by it stays on the page that thanks them, without its token. */
export const pathOfEnd = (end: LinkEnd): string => `/verify/?${params[end]}`

/** How the link ended that led here; null when it has not, or when there was none. */
export function endIn(search: string): LinkEnd | null {
  const said = new URLSearchParams(search)
  return (['done', 'joined', 'notMe'] as const).find((end) => said.has(params[end])) ?? null
}

/** The token of the link that led here; null when the page was opened without one. */
export const tokenIn = (search: string): string | null => new URLSearchParams(search).get('token')

export const cameByLink = (search: string): boolean => tokenIn(search) !== null || endIn(search) !== null
