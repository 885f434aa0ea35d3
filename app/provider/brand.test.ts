import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Market } from '#kit/contract/bootstrap.ts'
import { markets } from '#kit/server/markets.ts'
import { openJson } from '#kit/server/config/json-file.ts'
import { type BrandFile, parseBrand } from './brand.ts'

const fantail = JSON.parse(readFileSync('demo/providers/fantail/brand.json', 'utf8'))

function read(change: object, market: Market = markets.NZ): { brand: BrandFile | null; faults: string[] } {
  const faults: string[] = []
  const file = openJson('brand.json', JSON.stringify({ ...fantail, ...change }), (line) =>
    faults.push(line.replace('brand.json: line 1: ', '')),
  )
  return { brand: parseBrand(file, market), faults }
}
const coloured = (change: object) => ({ colours: { ...fantail.colours, ...change } })

test('a brand has colours for light and dark mode, and the details of the company that issues invoices in its market', () => {
  const { brand, faults } = read({}, markets.AU)
  expect(faults).toEqual([])
  expect(brand).toMatchObject({
    name: 'Fantail Mobile',
    shortName: 'Fantail',
    issuer: { name: 'Fantail Mobile Pty Ltd', tax_label: 'ABN', tax_number: '51 824 753 556' },
  })
  expect(brand?.colours).toMatchObject({
    paper: { light: '#f7f6f1', dark: '#0d1514' },
    'promo-ink': { light: '#ffffff', dark: '#ffffff' },
  })
})

const issuedBy = (market: 'NZ' | 'AU', tax_number: string) => ({
  issuer: { ...fantail.issuer, [market]: { ...fantail.issuer[market], tax_number } },
})

test.each([
  ['NZ', '49-091-850', '49-091-850'],
  ['NZ', '049 091 850', '049 091 850'],
  ['NZ', '35901981', '35901981'],
  ['NZ', '136-410-132', '136-410-132'],
  ['NZ', '\u202d４９-091-850\u202c', '49-091-850'],
  ['AU', '51824753556', '51824753556'],
  ['AU', '51\u00a0824\u00a0753\u00a0556', '51 824 753 556'],
] as const)('in %s, the tax number %s has correct check digits and is kept as %s', (market, number, kept) => {
  const { brand, faults } = read(issuedBy(market, number), markets[market])
  expect(faults).toEqual([])
  expect(brand?.issuer.tax_number).toBe(kept)
})

test('a brand for one country need not say who issues invoices in the other country', () => {
  const onlyHere = { issuer: { NZ: fantail.issuer.NZ } }
  expect(read(onlyHere).faults).toEqual([])
  expect(read(onlyHere, markets.AU).faults).toEqual([
    'issuer.AU: is missing. It is the company that issues invoices in Australia.',
  ])
})

test('a brand needs a support phone number for each of its markets', () => {
  expect(read({}).brand?.help).toEqual({ phone: '0800 326 824', hours: '8 am to 8 pm' })
  expect(read({}, markets.AU).brand?.help.phone).toBe('1800 326 824')
  expect(read({ help: { NZ: fantail.help.NZ } }, markets.AU).faults).toEqual([
    'help.AU: is missing. It is the contact for customers in Australia.',
  ])
})

test('a brand can name a security contact', () => {
  expect(read({}).brand?.securityContact).toBeNull()
  for (const address of ['mailto:security@fantail.example', 'https://fantail.example/security'])
    expect(read({ security_contact: address }).brand?.securityContact).toBe(address)
})

test('new order codes start with the prefix in brand.json, or with FT if it has none', () => {
  expect(read({ order_prefix: 'KEA' }).brand?.orderPrefix).toBe('KEA')
  expect(read({ order_prefix: undefined }).brand?.orderPrefix).toBe('FT')
})

test.each([
  ...['F', 'FANTA', 'ft', 'F7', 'FT-', ''].map((prefix): [object, string] => [
    { order_prefix: prefix },
    `order_prefix: must be 2 to 4 capital letters, such as FT, not "${prefix}".`,
  ]),
  [{ order_prefix: 'CN' }, 'order_prefix: must not be CN, because the codes of credit notes start with it.'],
  ...[
    'security@fantail.example',
    'http://fantail.example/',
    '/security/',
    'tel:+6421555000',
    'javascript:alert(1)',
    'mailto:',
  ].map((address): [object, string] => [
    { security_contact: address },
    `security_contact: must be an https:// or mailto: address of yours, not "${address}".`,
  ]),
  [
    { security_contact: 'mailto:a@fantail.example\nContact: mailto:b@evil.example' },
    'security_contact: must be one line, not "mailto:a@fantail.example\\nContact: mailto:b@evil.example".',
  ],
  [{ name: '' }, 'name: must not be empty.'],
  [
    { name: 'Fantail\nBcc: everybody@example.nz' },
    'name: must be one line, not "Fantail\\nBcc: everybody@example.nz".',
  ],
  [{ help: undefined }, 'help: is missing.'],
  [{ help: { NZ: { phone: '0800 326 824' } } }, 'help.NZ.hours: is missing.'],
  ...['call us', '0800 FANTAIL', '', 'javascript:alert(1)', '0800 326 824"><b>'].map((phone): [object, string] => [
    { help: { NZ: { phone, hours: '8 am to 8 pm' } } },
    `help.NZ.phone: ${phone === '' ? 'must not be empty.' : `must be a phone number, such as 0800 123 456, not ${JSON.stringify(phone)}.`}`,
  ]),
  [{ mark: '../../../etc/passwd' }, 'mark: must be the name of an SVG file in this folder, not "../../../etc/passwd".'],
  [{ icon: 'icon.png' }, 'icon: must be the name of an SVG file in this folder, not "icon.png".'],
  [{ logo: 'logo.svg' }, 'logo: is unknown.'],
  ...['123-456-789', '49-091-851', '4909185', '0-000-000', '49.091.850', '51 824 753 556'].map(
    (number): [object, string] => [
      issuedBy('NZ', number),
      `issuer.NZ.tax_number: must be a GST number with a correct check digit, such as 49-091-850, not "${number}".`,
    ],
  ),
  ...['00 111 222 333', '51 824 753 557', '5182475355', '49-091-850'].map((number): [object, string] => [
    issuedBy('AU', number),
    `issuer.AU.tax_number: must be an ABN with correct check digits, such as 51 824 753 556, not "${number}".`,
  ]),
  [coloured({ ink: '#000000' }), 'colours.ink: must be a list, not "#000000".'],
  [coloured({ ink: ['#000000'] }), 'colours.ink.1: is missing.'],
  [coloured({ ink: ['#000', '#ffffff'] }), 'colours.ink.0: must be a colour such as #0b5f57, not "#000".'],
  [
    coloured({ ink: ['red;}body{display:none', '#ffffff'] }),
    'colours.ink.0: must be a colour such as #0b5f57, not "red;}body{display:none".',
  ],
  [coloured({ ink: undefined }), 'colours.ink: is missing.'],
  [coloured({ accent: ['#000000', '#ffffff'] }), 'colours.accent: is unknown.'],
  [
    coloured({ 'promo-ink': ['#ffffff', '#c5221f'] }),
    'colours.promo-ink: #c5221f on promo has a contrast of 1.0 in dark mode; text needs 4.5.',
  ],
])('an error in brand.json is reported in one line: case %#', (change, line) =>
  expect(read(change).faults).toEqual([line]),
)
