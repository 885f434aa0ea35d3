import { encryptCard } from '#kit/web/card/encrypt.ts'

const visa = '4111 1111 1111 1111'

export const dinersCardNumber = '3600 6666 3333 44'

/** A text in the form of an encrypted card that no key can decrypt. */
export const undecryptableCard = `adyenjs_0_1_18$${'AAAA'.repeat(80)}$${'AAAA'.repeat(80)}`

export function sealCard(publicKey: string, now: Temporal.Instant, holderName: string, number = visa): string {
  // Choose the expiry year relative to the test's clock, which may be years ahead.
  const expiryYear = String(Math.max(2030, now.toZonedDateTimeISO('UTC').year + 2))
  return encryptCard(
    publicKey,
    { number, cvc: '737', holderName, expiryMonth: '03', expiryYear },
    now.toString({ fractionalSecondDigits: 3 }),
  )
}
