/** Where a link leads once it is used up: the customer who came by it stays on the page that thanks them, without its token. */
export const confirmedPath = '/verify/?confirmed'

/** The token of the link that led here; null when the page was opened without one. */
export const tokenIn = (search: string): string | null => new URLSearchParams(search).get('token')

export const isConfirmed = (search: string): boolean => new URLSearchParams(search).has('confirmed')

export const cameByLink = (search: string): boolean => tokenIn(search) !== null || isConfirmed(search)

/** How a link ended: the address is confirmed, the account is part of another, or it was another person's. */
export type LinkEnd = 'done' | 'joined' | 'notMe'
