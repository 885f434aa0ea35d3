import { typeFromNetwork } from './card-networks.ts'
import type { CardDetails } from './card.port.ts'

const maxTextLength = 300

/** Reads card details from a response or notification. A field is present only if the merchant account is configured to return it. */
export function cardDetailsOf(data: Record<string, unknown>): CardDetails {
  const textField = (name: string): string | null => readText(data[name])
  const network = textField('paymentMethod')
  return {
    ...(network === null ? { type: null } : typeFromNetwork(network, textField('cardBin') ?? textField('issuerBin'))),
    lastFour: textField('cardSummary'),
    expiry: expiryOf(textField('expiryDate')),
    holderName: textField('cardHolderName'),
    storedId: textField('recurring.recurringDetailReference'),
  }
}

export const readText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxTextLength ? value : null

function expiryOf(text: string | null): string | null {
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return month && year ? `${month.padStart(2, '0')}/${year}` : null
}
