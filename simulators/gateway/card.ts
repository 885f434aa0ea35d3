import type { DecryptedCard } from './decrypt.ts'
import { AdyenFault } from './faults.ts'
import type { CardOnFile } from './state.ts'

/** Checks a card's number, security code, holder name and expiry. @throws Fault if the card is invalid */
export function checkCard(card: DecryptedCard): void {
  if (!/^\d{12,19}$/.test(card.number) || !passesLuhn(card.number)) throw new AdyenFault('101')
  if (!(detectPaymentMethod(card.number) === 'amex' ? /^\d{4}$/ : /^\d{3}$/).test(card.cvc)) throw new AdyenFault('103')
  if (card.holderName === '') throw new AdyenFault('128')
  const { expiryMonth, expiryYear } = card
  if (!Number.isInteger(expiryMonth) || expiryMonth < 1 || expiryMonth > 12) throw new AdyenFault('141')
  if (!Number.isInteger(expiryYear) || expiryYear < 2000 || expiryYear > 9999) throw new AdyenFault('141')
}

export const createCardOnFile = (card: DecryptedCard): CardOnFile => ({
  summary: card.number.slice(-4),
  bin: card.number.slice(0, 6),
  holderName: card.holderName,
  expiryMonth: card.expiryMonth,
  expiryYear: card.expiryYear,
  paymentMethod: detectPaymentMethod(card.number),
})

const cardRanges = [
  ['visa', /^4/],
  ['mc', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|677189)/],
  ['amex', /^3[47]/],
  ['diners', /^3(?:0[0-5]|[689])/],
  ['discover', /^6(?:011|5)/],
  ['jcb', /^35/],
  ['cup', /^62/],
] as const

function detectPaymentMethod(number: string): CardOnFile['paymentMethod'] {
  return cardRanges.find(([, start]) => start.test(number))?.[0] ?? 'card'
}

function passesLuhn(number: string): boolean {
  const total = [...number].toReversed().reduce((sum, digit, place) => {
    const value = Number(digit) * (1 + (place % 2))
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
  return total % 10 === 0
}
