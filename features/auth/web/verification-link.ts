export type LinkOutcome = 'done' | 'joined' | 'notMe'

const outcomeParams: Record<LinkOutcome, string> = { done: 'confirmed', joined: 'joined', notMe: 'not-me' }

export const outcomeTitles: Record<LinkOutcome, string> = {
  done: 'Email Address Confirmed',
  joined: 'Phone Number Added',
  notMe: 'Thank You',
}

export const outcomePath = (outcome: LinkOutcome): string => `/verify/?${outcomeParams[outcome]}`

export function readLinkOutcome(search: string): LinkOutcome | null {
  const searchParams = new URLSearchParams(search)
  return (['done', 'joined', 'notMe'] as const).find((end) => searchParams.has(outcomeParams[end])) ?? null
}

export const readLinkToken = (search: string): string | null => new URLSearchParams(search).get('token')

export const isVerificationLink = (search: string): boolean =>
  readLinkToken(search) !== null || readLinkOutcome(search) !== null
