import { type CardForm, cardMessages, type Month, parseExpiry } from '#kit/contract/card.contract.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { serverNow } from '#kit/web/server-time.ts'

/** Fetches the encryption while the customer is still typing. */
export const loadEncryption = () => import('#kit/web/card/encrypt.ts')

/**
 * Seals what is in a card form for the gateway, stamped with the server's time. It never leaves the browser in clear.
 * @throws ApiError 400 with the form's sentence when it cannot be done
 */
export async function encryptedCard(publicKey: string, form: CardForm, now: Month): Promise<string> {
  try {
    const { encryptCard } = await loadEncryption()
    const expiry = parseExpiry(form['credit-card-expiry'], now)
    return encryptCard(
      publicKey,
      {
        number: form['credit-card-number'],
        cvc: form['credit-card-cvc'],
        holderName: form['credit-card-name'].trim(),
        expiryMonth: String(expiry?.month ?? '').padStart(2, '0'),
        expiryYear: String(expiry?.year ?? ''),
      },
      serverNow(),
    )
  } catch {
    throw new ApiError(400, { __all__: [cardMessages.encryption] })
  }
}

/** The month that an ISO 8601 instant falls into in a zone. */
export function monthIn(zone: string, iso: string): Month {
  const parts = new Intl.DateTimeFormat('en-NZ', { timeZone: zone, year: 'numeric', month: 'numeric' }).formatToParts(new Date(iso))
  const part = (type: 'year' | 'month') => Number(parts.find((each) => each.type === type)?.value)
  return { year: part('year'), month: part('month') }
}
