import { expect, test } from 'vitest'
import { getCoveredCountries } from './countries.ts'

test('the customer’s own country comes first in the list of countries that every plan covers', () => {
  expect(getCoveredCountries({ code: 'NZ' })).toBe('New Zealand and Australia')
  expect(getCoveredCountries({ code: 'AU' })).toBe('Australia and New Zealand')
})
