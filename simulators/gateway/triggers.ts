export type AuthorisationDecision =
  /** The payment is authorised. With `answerIsLost`, the connection is dropped before the response. */
  | { kind: 'authorised'; answerIsLost: boolean }
  | { kind: 'refused'; resultCode: 'Refused' | 'Error' | 'Cancelled'; reason: string }
  /** The gateway responds to the payment with Received. The outcome arrives by webhook, or never. */
  | { kind: 'pending'; approves: boolean; resolves: boolean }

export const createRefusal = (reason: string): AuthorisationDecision => ({
  kind: 'refused',
  resultCode: 'Refused',
  reason,
})

/** Outcomes triggered by a cardholder name. The vendor defines the names at the top; PENDING_DECLINED and those after it are our own. */
const triggers: Record<string, AuthorisationDecision> = {
  DECLINED: createRefusal('Refused'),
  REFERRAL: createRefusal('Referral'),
  ERROR: { kind: 'refused', resultCode: 'Error', reason: 'Acquirer Error' },
  BLOCK_CARD: createRefusal('Blocked Card'),
  CARD_EXPIRED: createRefusal('Expired Card'),
  INVALID_AMOUNT: createRefusal('Invalid Amount'),
  INVALID_CARD_NUMBER: createRefusal('Invalid Card Number'),
  ISSUER_UNAVAILABLE: createRefusal('Issuer Unavailable'),
  NOT_ENOUGH_BALANCE: createRefusal('Not enough balance'),
  ACQUIRER_FRAUD: createRefusal('FRAUD'),
  PENDING: { kind: 'pending', approves: true, resolves: true },
  PENDING_DECLINED: { kind: 'pending', approves: false, resolves: true },
  HELD: { kind: 'pending', approves: true, resolves: false },
  TIMEOUT: { kind: 'authorised', answerIsLost: true },
}

export function findDecisionByHolderName(holderName: string): AuthorisationDecision {
  const name = holderName
    .trim()
    .toUpperCase()
    .replace(/[\s_]+/g, '_')
  return Object.hasOwn(triggers, name) ? triggers[name]! : { kind: 'authorised', answerIsLost: false }
}
