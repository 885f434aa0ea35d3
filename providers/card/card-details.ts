import { typeFromNetwork } from './card-networks.ts'
import type { CardDetails } from './card.port.ts'

const longestText = 300

/** Each field is present only if the merchant account is set to return it. */
export function detailsOf(data: Record<string, unknown>): CardDetails {
  const textOf = (name: string): string | null => textIn(data[name])
  const network = textOf('paymentMethod')
  return {
    ...(network === null ? { type: null } : typeFromNetwork(network, textOf('cardBin') ?? textOf('issuerBin'))),
    lastFour: textOf('cardSummary'),
    expiry: expiryOf(textOf('expiryDate')),
    holderName: textOf('cardHolderName'),
    storedId: textOf('recurring.recurringDetailReference'),
  }
}

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= longestText ? value : null

function expiryOf(text: string | null): string | null {
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return month && year ? `${month.padStart(2, '0')}/${year}` : null
}
