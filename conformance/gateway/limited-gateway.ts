import type { CardGateway } from '#providers/card/card.port.ts'
import { referencePrefix } from '../reference-generator.ts'

export const maxCents = 100

/**
 * Limits a gateway client to small amounts, and to payment references that cannot be confused with Fantail's own.
 * @throws if a call exceeds these limits
 */
export function createLimitedGateway(card: CardGateway): CardGateway {
  const check = (reference: string, amount = 0): void => {
    if (amount > maxCents) throw new Error(`the suite pays at most ${maxCents} cents, not ${amount}`)
    if (!reference.startsWith(referencePrefix))
      throw new Error(`references of the suite begin with ${referencePrefix}, not ${reference}`)
  }
  return {
    authorise(payment) {
      check(payment.reference, payment.amount)
      return card.authorise(payment)
    },
    capture(modification) {
      check(modification.reference, modification.amount)
      return card.capture(modification)
    },
    cancel(modification) {
      check(modification.reference)
      return card.cancel(modification)
    },
    refund(modification) {
      check(modification.reference, modification.amount)
      return card.refund(modification)
    },
    technicalCancel(modification) {
      check(modification.originalReference)
      return card.technicalCancel(modification)
    },
    disable(stored) {
      check(stored.shopperReference)
      return card.disable(stored)
    },
  }
}
