import { expect, test } from 'vitest'
import { formatCardName, getCardTypeErrorMessage, isAcceptedCardType } from './card-types.ts'

test.each([
  ['visa', '1111', 'Visa ending 1111'],
  ['mc', '4444', 'Mastercard ending 4444'],
  ['amex', null, 'American Express'],
  ['diners', '0004', 'Card ending 0004'],
  [null, '1111', 'Card ending 1111'],
  [null, null, 'Card'],
])('a card of type %s ending %s is shown as %s', (type, lastFour, name) =>
  expect(formatCardName(type, lastFour)).toBe(name),
)

test('accepts a card whose type is not known yet', () => expect(isAcceptedCardType(['visa'], null)).toBe(true))

test('rejects any card type that the provider does not accept', () => {
  expect(isAcceptedCardType(['visa', 'mc'], 'mc')).toBe(true)
  expect(isAcceptedCardType(['visa', 'mc'], 'amex')).toBe(false)
  expect(isAcceptedCardType(['visa', 'mc', 'amex'], 'other')).toBe(false)
})

test('the message about a rejected card lists every type that the provider accepts', () => {
  expect(getCardTypeErrorMessage(['visa', 'mc', 'amex'])).toBe(
    'We can’t take this type of card. Please use Visa, Mastercard or American Express.',
  )
  expect(getCardTypeErrorMessage(['visa'])).toBe('We can’t take this type of card. Please use Visa.')
  expect(getCardTypeErrorMessage([])).toBe('We can’t take this type of card. Please use another card.')
})
