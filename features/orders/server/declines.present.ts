export type DeclineReason = 'expired' | 'no-funds'

const declineByReason: Readonly<Record<string, DeclineReason>> = {
  'expired card': 'expired',
  'not enough balance': 'no-funds',
  'withdrawal amount exceeded': 'no-funds',
  'withdrawal count exceeded': 'no-funds',
}

/**
 * Translates the gateway's refusal reason, for example `Refused: Expired Card`; `null` for an unknown reason. Use this
 * only for a saved card. A card that somebody types in may be stolen, so we never explain why it was refused.
 */
export function parseDeclineReason(refusal: string | null): DeclineReason | null {
  const reason = (refusal ?? '').replace(/^Refused: /, '').toLowerCase()
  return Object.hasOwn(declineByReason, reason) ? (declineByReason[reason] ?? null) : null
}
