import { encryptCard } from '#kit/web/card/encrypt.ts'

/** A good test card, encrypted as the browser does it. */
export function sealCard(publicKey: string, now: Temporal.Instant, holderName: string): string {
  return encryptCard(
    publicKey,
    { number: '4111 1111 1111 1111', cvc: '737', holderName, expiryMonth: '03', expiryYear: '2030' },
    now.toString({ fractionalSecondDigits: 3 }),
  )
}
