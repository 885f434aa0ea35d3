import { expect, test } from 'vitest'
import { bothCountries } from './countries.ts'

test('the customer’s own country comes first in the list of countries that every plan can call', () => {
  expect(bothCountries({ code: 'NZ' })).toBe('New Zealand and Australia')
  expect(bothCountries({ code: 'AU' })).toBe('Australia and New Zealand')
})
