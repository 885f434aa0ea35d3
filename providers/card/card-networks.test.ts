import { describe, expect, test } from 'vitest'
import { deriveCardType } from './card-networks.ts'

describe('determining a card’s type from the name of its card network', () => {
  test.each([
    ['visa', null, 'visa'],
    ['VISA', null, 'visa'],
    ['mc_googlepay', null, 'mc'],
    ['visa_applepay', null, 'visa'],
    ['visa_apple_pay', null, 'visa'],
    ['amex_a-wallet-of-tomorrow', null, 'amex'],
    ['eftpos_australia', '411111', 'visa'],
    ['eftpos_australia', '555534', 'mc'],
    ['eftpos_australia_applepay', '411111', 'visa'],
    ['eftpos_australia', '560279', null],
    ['eftpos_australia', null, null],
    ['maestro', '677189', 'mc'],
    ['maestro', null, 'mc'],
    ['maestro', '675964', 'other'],
    ['diners', null, 'other'],
    ['jcb_applepay', null, 'other'],
  ])('a card on the network %s whose number begins with %s has the type %s', (name, bin, type) => {
    expect(deriveCardType(name, bin)).toEqual({ type, network: { name, isKnown: true } })
  })

  test.each(['hyperion_debit', '_', '_visa', 'constructor', 'visas', '__proto__'])(
    'the card type is undecided on the network %s, which Fantail does not know',
    (name) => expect(deriveCardType(name, '411111')).toEqual({ type: null, network: { name, isKnown: false } }),
  )
})
