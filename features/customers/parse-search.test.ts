import { expect, test } from 'vitest'
import { parseSearch } from './server/parse-search.ts'

const prefixes = new Set(['FT', 'TUI'])
const kinds = (text: string) => parseSearch(text, 'NZ', prefixes).map(({ of }) => of)

test.each([
  ['FT0123456789', ['order', 'email', 'name']],
  ['tui01', ['order', 'email', 'name']],
  ['KEA0123456789', ['email', 'name']],
  ['ana@example.nz', ['email']],
  ['ana@', ['email']],
  ['Ana', ['email', 'name']],
  ['Ana Rewi', ['name']],
  ['Rewi, Ana', ['name']],
  ['1111', ['end']],
  ['021 555 0142', ['number']],
  ['8964032000000000001', ['SIM']],
  ['89640', ['SIM', 'number']],
  ['', []],
  ['%', []],
  ['12', []],
])('the search text "%s" is recognised as %j', (text, wanted) => expect(kinds(text)).toEqual(wanted))

test.each(['0215550142', '+64215550142', '64215550142', '215550142', '(021) 555-0142'])(
  '%s is recognised as a single phone number',
  (text) => {
    const [number] = parseSearch(text, 'NZ', prefixes)
    expect(number).toMatchObject({ of: 'number', prefixes: expect.arrayContaining(['+64215550142']) })
  },
)

test('a search text that is too long is truncated before it is parsed', () =>
  expect(parseSearch('a'.repeat(100_000), 'AU', prefixes)).toEqual(parseSearch('a'.repeat(254), 'AU', prefixes)))
