import { formatLocalDateTime } from '#kit/contract/local-date-time.ts'
import type { ObjectEntries } from 'valibot'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import {
  type CardFormValues,
  cardFormSchema,
  cardMessages,
  type Month,
  parseExpiry,
} from '#kit/contract/card.contract.ts'
import { ApiError } from '#kit/contract/errors.ts'
import { getServerTime } from '#kit/web/server-time.ts'

export const emptyCard: CardFormValues = {
  'credit-card-number': '',
  'credit-card-name': '',
  'credit-card-expiry': '',
  'credit-card-cvc': '',
}

export const createCardSchema = (
  { card, market }: Pick<Bootstrap, 'card' | 'market'>,
  others?: ObjectEntries,
): ReturnType<typeof cardFormSchema> => cardFormSchema(getCurrentMonth(market.zone), card.types, others)

export function preloadEncryption(): void {
  loadEncryption().catch(() => {})
}

/**
 * Returns the field `<gateway>_encrypted`, which a form sends in place of the card. The card is encrypted with the server's time.
 * @throws ApiError with status 400 and the form's message if the card cannot be encrypted, or with status 0 if the encryption code cannot
 * be loaded
 */
export async function encryptCardFields(
  { card, market }: Pick<Bootstrap, 'card' | 'market'>,
  form: CardFormValues,
): Promise<Record<string, string>> {
  const { encryptCard } = await loadEncryption().catch(() => {
    throw new ApiError(0, undefined)
  })
  try {
    const expiry = parseExpiry(form['credit-card-expiry'], getCurrentMonth(market.zone))
    const details = {
      number: form['credit-card-number'],
      cvc: form['credit-card-cvc'],
      holderName: form['credit-card-name'].trim(),
      expiryMonth: String(expiry?.month).padStart(2, '0'),
      expiryYear: String(expiry?.year),
    }
    return { [`${card.gateway}_encrypted`]: encryptCard(card.publicKey, details, getServerTime()) }
  } catch {
    throw new ApiError(400, { __all__: [cardMessages.encryption] })
  }
}

const loadEncryption = () => import('#kit/web/card/encrypt.ts')

function getCurrentMonth(zone: string): Month {
  const [year = 0, month = 0] = formatLocalDateTime(getServerTime(), zone).slice(0, 7).split('-').map(Number)
  return { year, month }
}
