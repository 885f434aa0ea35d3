import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Market } from '#kit/contract/bootstrap.ts'
import { markets } from '#kit/server/markets.ts'
import { type BrandFile, parseBrand } from './brand.ts'

const fantail = JSON.parse(readFileSync('demo/providers/fantail/brand.json', 'utf8'))

function read(change: object, market: Market = markets.NZ): { brand: BrandFile | null; faults: string[] } {
  const faults: string[] = []
  return {
    brand: parseBrand('brand.json', JSON.stringify({ ...fantail, ...change }), market, (line) => faults.push(line)),
    faults,
  }
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

test('a brand for one country need not say who issues invoices in the other country', () => {
  const onlyHere = { issuer: { NZ: fantail.issuer.NZ } }
  expect(read(onlyHere).faults).toEqual([])
  expect(read(onlyHere, markets.AU).faults).toEqual([
    'brand.json: issuer.AU: is missing. It is the company that issues invoices in Australia.',
  ])
})

test('a brand needs a support phone number for each of its markets', () => {
  expect(read({}).brand?.help).toEqual({ phone: '0800 326 824', hours: '8 am to 8 pm' })
  expect(read({}, markets.AU).brand?.help.phone).toBe('1800 326 824')
  expect(read({ help: { NZ: fantail.help.NZ } }, markets.AU).faults).toEqual([
    'brand.json: help.AU: is missing. It is the contact for customers in Australia.',
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
    'brand.json: order_prefix: must be 2 to 4 capital letters, such as FT.',
  ]),
  [
    { order_prefix: 'CN' },
    'brand.json: order_prefix: must not be CN, because the codes of credit notes start with it.',
  ],
  ...[
    'security@fantail.example',
    'http://fantail.example/',
    '/security/',
    'tel:+6421555000',
    'javascript:alert(1)',
    'mailto:',
  ].map((address): [object, string] => [
    { security_contact: address },
    'brand.json: security_contact: must be an https:// or mailto: address of yours.',
  ]),
  [
    { security_contact: 'mailto:a@fantail.example\nContact: mailto:b@evil.example' },
    'brand.json: security_contact: must be one line.',
  ],
  [{ name: '' }, 'brand.json: name: must not be empty.'],
  [{ name: 'Fantail\nBcc: everybody@example.nz' }, 'brand.json: name: must be one line.'],
  [{ help: undefined }, 'brand.json: help: is missing.'],
  [{ help: { NZ: { phone: '0800 326 824' } } }, 'brand.json: help.NZ.hours: is missing.'],
  ...['call us', '0800 FANTAIL', '', 'javascript:alert(1)', '0800 326 824"><b>'].map((phone): [object, string] => [
    { help: { NZ: { phone, hours: '8 am to 8 pm' } } },
    `brand.json: help.NZ.phone: ${phone === '' ? 'must not be empty.' : 'must be a phone number, such as 0800 123 456.'}`,
  ]),
  [{ mark: '../../../etc/passwd' }, 'brand.json: mark: must be the name of an SVG file in this folder.'],
  [{ icon: 'icon.png' }, 'brand.json: icon: must be the name of an SVG file in this folder.'],
  [{ logo: 'logo.svg' }, 'brand.json: logo: is unknown.'],
  [coloured({ ink: '#000000' }), 'brand.json: colours.ink: must be a list.'],
  [coloured({ ink: ['#000000'] }), 'brand.json: colours.ink.1: is missing.'],
  [coloured({ ink: ['#000', '#ffffff'] }), 'brand.json: colours.ink.0: must be a colour such as #0b5f57.'],
  [
    coloured({ ink: ['red;}body{display:none', '#ffffff'] }),
    'brand.json: colours.ink.0: must be a colour such as #0b5f57.',
  ],
  [coloured({ ink: undefined }), 'brand.json: colours.ink: is missing.'],
  [coloured({ accent: ['#000000', '#ffffff'] }), 'brand.json: colours.accent: is unknown.'],
  [
    coloured({ 'promo-ink': ['#ffffff', '#c5221f'] }),
    'brand.json: colours.promo-ink on promo has a contrast of 1.0 in dark mode; text needs 4.5.',
  ],
])('an error in brand.json is reported in one line: case %#', (change, line) =>
  expect(read(change).faults).toEqual([line]),
)
