import { typeFromNetwork } from './card-networks.ts'
import type { CardDetails } from './card.port.ts'

/** No field of a card is as long. */
const longestText = 300

/** What additional data of the gateway's says of a card. Each is there only where the account is set to return it. */
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

/** `8/2030` as `08/2030`. */
function expiryOf(text: string | null): string | null {
  const [, month, year] = /^(\d{1,2})\/(\d{4})$/.exec(text ?? '') ?? []
  return month && year ? `${month.padStart(2, '0')}/${year}` : null
}
