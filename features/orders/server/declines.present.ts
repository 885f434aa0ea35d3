/** Why a bank said no, as far as the owner of a saved card is told. */
export type Decline = 'expired' | 'no-funds'

const declines: Readonly<Record<string, Decline>> = {
  'expired card': 'expired',
  'not enough balance': 'no-funds',
  'withdrawal amount exceeded': 'no-funds',
  'withdrawal count exceeded': 'no-funds',
}

/**
 * What the gateway's reason comes to, `Refused: Expired Card` as `payment_attempts` keeps it; null for all others. A card that is
 * typed in may be a stolen one: of that nobody is told why.
 */
export function declineOf(refusal: string | null): Decline | null {
  const reason = (refusal ?? '').replace(/^Refused: /, '').toLowerCase()
  return Object.hasOwn(declines, reason) ? (declines[reason] ?? null) : null
}
