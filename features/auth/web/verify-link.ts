export type LinkEnd = 'done' | 'joined' | 'notMe'

const params: Record<LinkEnd, string> = { done: 'confirmed', joined: 'joined', notMe: 'not-me' }

export const endTitles: Record<LinkEnd, string> = {
  done: 'Email Address Confirmed',
  joined: 'Phone Number Added',
  notMe: 'Thank You',
}

export const pathOfEnd = (end: LinkEnd): string => `/verify/?${params[end]}`

export function endIn(search: string): LinkEnd | null {
  const said = new URLSearchParams(search)
  return (['done', 'joined', 'notMe'] as const).find((end) => said.has(params[end])) ?? null
}

export const tokenIn = (search: string): string | null => new URLSearchParams(search).get('token')

export const cameByLink = (search: string): boolean => tokenIn(search) !== null || endIn(search) !== null
