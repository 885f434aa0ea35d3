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
  ['Ana\tRewi', ['name']],
  ["O'Brien", ['email', 'name']],
  ['\u202d021 505 9102\u202c', ['number']],
  ['tel:+64-21-505-9101', ['number']],
  ['mailto:ana@example.nz?subject=Hello', ['email']],
  ['Ana Rewi <ana@example.nz>', ['email']],
  ['FT-0123 4567 89', ['order', 'name']],
  ["'8964032000000000001F", ['email', 'name', 'SIM']],
])('the search text "%s" is recognised as %j', (text, wanted) => expect(kinds(text)).toEqual(wanted))

test.each(['0215550142', '+64215550142', '64215550142', '215550142', '(021) 555-0142'])(
  '%s is recognised as a single phone number',
  (text) => {
    const [number] = parseSearch(text, 'NZ', prefixes)
    expect(number).toMatchObject({ of: 'number', prefixes: expect.arrayContaining(['+64215550142']) })
  },
)

test.each(['505 9101', '\u2066505\u20119101\u2069', '<tel:505-9101>'])(
  'the number without its prefix "%s" is looked for at the end of numbers',
  (text) => expect(parseSearch(text, 'NZ', prefixes)).toMatchObject([{ of: 'number', ending: '5059101' }]),
)

test.each([
  'tel:+64-21-505-9101',
  'TEL:0215059101;ext=2',
  'tel:%2B64215059101',
  '<+64215059101>',
  '+64 (0)21 505 9101',
  '0064 21 505 9101',
  '\u202d021 505 9101\u202c',
  '\uff10\uff12\uff11 \uff15\uff10\uff15 \uff19\uff11\uff10\uff11',
])('%s is recognised as the number +64 21 505 9101', (text) =>
  expect(parseSearch(text, 'NZ', prefixes)).toMatchObject([{ of: 'number', prefixes: ['+64215059101'] }]),
)

test.each([
  'mailto:ana@example.nz',
  'MAILTO:Ana@Example.nz?subject=My%20SIM',
  'mailto:ana%40example.nz',
  'mailto:%E2%80%AEana%00%40example.nz',
  '<ana@example.nz>',
  'Ana Rewi <mailto:ana@example.nz>',
  '\u202dana@example.nz\u202c',
  'ana\u200b@example.nz',
])('%s is recognised as the email address ana@example.nz', (text) =>
  expect(parseSearch(text, 'NZ', prefixes)).toEqual([{ of: 'email', email: 'ana@example.nz' }]),
)

test('an address in an international domain is searched for in the form in which it is stored', () =>
  expect(parseSearch('ana@kōwhai.nz', 'NZ', prefixes)).toEqual([{ of: 'email', email: 'ana@xn--kwhai-g9a.nz' }]))

test.each(['FT0123456789', 'ft 0123 4567 89', 'FT-0123-456789', '#FT0123456789'])(
  '%s is recognised as an order code',
  (text) => expect(parseSearch(text, 'NZ', prefixes)).toContainEqual({ of: 'order', code: 'FT0123456789' }),
)

test('a name in several words that begins like an order code is not searched for as one', () =>
  expect(kinds('Tui Parata')).toEqual(['name']))

test('a search text that is too long is truncated before it is parsed', () =>
  expect(parseSearch('a'.repeat(100_000), 'AU', prefixes)).toEqual(parseSearch('a'.repeat(254), 'AU', prefixes)))
