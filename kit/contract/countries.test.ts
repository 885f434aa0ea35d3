import { expect, test } from 'vitest'
import { coveredCountries } from './countries.ts'

test('the customer’s own country comes first in the list of countries that every plan covers', () => {
  expect(coveredCountries({ code: 'NZ' })).toBe('New Zealand and Australia')
  expect(coveredCountries({ code: 'AU' })).toBe('Australia and New Zealand')
})
