import { afterEach, describe, expect, test, vi } from 'vitest'
import { cardMessages } from '#kit/contract/card.contract.ts'
import { toFormErrors, formMessages } from '#kit/contract/errors.ts'
import vector from '#kit/web/card/card-encryption.vector.json' with { type: 'json' }
import { setServerTime } from '#kit/web/server-time.ts'
import { decryptSealedCard } from '#quality/support/checkout.ts'
import { testBootstrap } from '#quality/support/open-portal.tsx'
import { encryptCardFields } from './encrypted-card.ts'

const gateway = (publicKey = vector.public_key) => ({ ...testBootstrap, card: { ...testBootstrap.card, publicKey } })
const card = {
  'credit-card-number': '5555 4444 3333 1111',
  'credit-card-name': '  Ana Rewi ',
  'credit-card-expiry': '03 / 41',
  'credit-card-cvc': '737',
}

afterEach(() => setServerTime(new Date().toISOString()))

describe('encryptCardFields: encrypting the fields of a card form', () => {
  test("puts the encrypted card into a field named after the gateway, with the server's time", async () => {
    // The gateway rejects card details whose timestamp is wrong by a day, so the timestamp must not come from the browser's clock.
    setServerTime('2031-05-01T00:00:00Z')
    const fields = await encryptCardFields(gateway(), card)
    expect(Object.keys(fields)).toEqual(['adyen_encrypted'])
    const read = decryptSealedCard(fields['adyen_encrypted']!, '2031-05-01T00:10:00Z')
    expect(read).toEqual({
      number: '5555444433331111',
      cvc: '737',
      holderName: 'Ana Rewi',
      expiryMonth: 3,
      expiryYear: 2041,
    })
  })

  test.each([
    ['a malformed public key', gateway('no key'), card],
    ['an invalid card number', gateway(), { ...card, 'credit-card-number': '4111' }],
    ['an invalid expiry', gateway(), { ...card, 'credit-card-expiry': 'soon' }],
    ['a missing security code', gateway(), { ...card, 'credit-card-cvc': '' }],
    ['a missing name', gateway(), { ...card, 'credit-card-name': ' ' }],
  ])('asks the customer to check their details if encryption fails because of %s', async (_, bootstrap, form) => {
    const failure = await encryptCardFields(bootstrap, form).catch((error: unknown) => error)
    expect(toFormErrors(failure)).toEqual({ __all__: [cardMessages.encryption] })
  })

  test('asks the customer to refresh if the encryption code cannot be loaded', async () => {
    vi.doMock('#kit/web/card/encrypt.ts', () => Promise.reject(new Error('the chunk is gone')))
    vi.resetModules()
    const fresh = await import('./encrypted-card.ts')
    const { toFormErrors: errorsOf } = await import('#kit/contract/errors.ts')
    fresh.preloadEncryption()
    const failure = await fresh.encryptCardFields(gateway(), card).catch((error: unknown) => error)
    expect(errorsOf(failure)).toEqual({ __all__: [formMessages.noAnswer] })
  })
})
