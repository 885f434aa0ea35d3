export type Decline = 'expired' | 'no-funds'

const declineByReason: Readonly<Record<string, Decline>> = {
  'expired card': 'expired',
  'not enough balance': 'no-funds',
  'withdrawal amount exceeded': 'no-funds',
  'withdrawal count exceeded': 'no-funds',
}

/**
 * Reads the gateway's reason, stored in `payment_attempts` for example as `Refused: Expired Card`; `null` for any other
 * reason. Only use this for a saved card: a card that is typed in may be stolen, so its refusal is never explained.
 */
export function declineOf(refusal: string | null): Decline | null {
  const reason = (refusal ?? '').replace(/^Refused: /, '').toLowerCase()
  return Object.hasOwn(declineByReason, reason) ? (declineByReason[reason] ?? null) : null
}
