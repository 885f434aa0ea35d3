export const cardTypes = ['visa', 'mc', 'amex'] as const
export type CardType = (typeof cardTypes)[number]

export const cardTypeNames: Record<CardType, string> = { visa: 'Visa', mc: 'Mastercard', amex: 'American Express' }

export const formatCardName = (type: string | null, lastFour: string | null): string =>
  `${cardTypes.includes(type as CardType) ? cardTypeNames[type as CardType] : 'Card'}${lastFour ? ` ending ${lastFour}` : ''}`

/** Whether the provider accepts this card type. A type that is not yet known (`null`) counts as accepted. */
export const isAcceptedCardType = (taken: readonly CardType[], type: CardType | 'other' | null): boolean =>
  type === null || taken.some((one) => one === type)

export const getCardTypeErrorMessage = (taken: readonly CardType[]): string =>
  `We can’t take this type of card. Please use ${joinWithOr(taken.map((type) => cardTypeNames[type]))}.`

const joinWithOr = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? 'another card')
