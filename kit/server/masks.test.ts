import { expect, test } from 'vitest'
import { maskAllButLastFour, maskEmail, maskName, maskNumber } from './masks.ts'

test.each([
  ['ana.rewi@xtra.co.nz', 'an•••••@xtra.co.nz'],
  ['al@x.nz', 'a•••••@x.nz'],
  ['a@x.nz', '•••••@x.nz'],
  ['nothing', 'no•••••'],
])('masks the email address %s as %s', (email, shown) => expect(maskEmail(email)).toBe(shown))

test('masks a name except for the first name and up to two letters of the last name', () => {
  expect(maskName({ first: 'Ana', last: 'Tamihana' })).toBe('Ana Ta•••••')
  expect(maskName({ first: 'Ana', last: 'Ng' })).toBe('Ana N•••••')
  expect(maskName({ first: '', last: '' })).toBe('•••••')
})

test('masks a SIM number except for its last four digits', () =>
  expect(maskAllButLastFour('8964030000001200142')).toBe('•••• 0142'))

test.each(['+64215550142', '021 555 0142', '021-555-01 42'])(
  'masks the phone number %s except for its last three digits',
  (number) => expect(maskNumber(number)).toBe('•••• 142'),
)
