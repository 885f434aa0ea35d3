/** The card types the product knows, in the gateway's words. */
export const cardTypes = ['visa', 'mc', 'amex'] as const
export type CardType = (typeof cardTypes)[number]

export const cardTypeNames: Record<CardType, string> = { visa: 'Visa', mc: 'Mastercard', amex: 'American Express' }

/** A card as its owner knows it: `'Visa ending 1111'`; `'Card'` of one that nobody has named. */
export const cardName = (type: string | null, lastFour: string | null): string =>
  `${cardTypes.includes(type as CardType) ? cardTypeNames[type as CardType] : 'Card'}${lastFour ? ` ending ${lastFour}` : ''}`

/** Whether a card of this type is taken; null: nobody has said which it is. */
export const isTakenType = (taken: readonly CardType[], type: CardType | 'other' | null): boolean =>
  type === null || taken.some((one) => one === type)

/** What is said of a card that is none of those that the provider takes. */
export const cardTypeMessage = (taken: readonly CardType[]): string =>
  `We can’t take this type of card. Please use ${listed(taken.map((type) => cardTypeNames[type]))}.`

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? 'another card')
