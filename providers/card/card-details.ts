import { deriveCardType } from './card-networks.ts'
import type { CardDetails } from './card.port.ts'

const maxTextLength = 300

/** Reads card details from a response or notification. A field is present only if the merchant account is configured to return it. */
export function readCardDetails(data: Record<string, unknown>): CardDetails {
  const readTextField = (name: string): string | null => readText(data[name])
  const network = readTextField('paymentMethod')
  return {
    ...(network === null
      ? { type: null }
      : deriveCardType(network, readTextField('cardBin') ?? readTextField('issuerBin'))),
    lastFour: readTextField('cardSummary'),
    expiry: normaliseExpiry(readTextField('expiryDate')),
    holderName: readTextField('cardHolderName'),
    storedId: readTextField('recurring.recurringDetailReference'),
  }
}

export const readText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxTextLength ? value : null

function normaliseExpiry(text: string | null): string | null {
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return month && year ? `${month.padStart(2, '0')}/${year}` : null
}
