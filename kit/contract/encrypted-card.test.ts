import { expect, test } from 'vitest'
import vector from '#kit/web/card/card-encryption.vector.json' with { type: 'json' }
import { isEncryptedCard } from './encrypted-card.ts'

const [version = '', key = '', sealed = ''] = vector.token.split('$')

test('a card encrypted by the vendor’s library has the form of an encrypted card', () => {
  expect(isEncryptedCard(vector.token)).toBe(true)
})

test.each([
  ['empty text', ''],
  ['a word', 'junk'],
  ['an unencrypted card number', '4111 1111 1111 1111'],
  ['a version alone', version],
  ['two parts', `${version}$${key}`],
  ['four parts', `${vector.token}$${sealed}`],
  ['a key that is too short', `${version}$AAAA$${sealed}`],
  ['a card that is too short', `${version}$${key}$AAAA`],
  ['characters outside base64', `${version}$${key}$${sealed.replace(/.{4}$/, '<b>=')}`],
  ['another prefix', vector.token.replace('adyenjs', 'junk')],
  ['a line break', `${vector.token}\n`],
])('%s does not have the form of an encrypted card', (_, text) => expect(isEncryptedCard(text)).toBe(false))
