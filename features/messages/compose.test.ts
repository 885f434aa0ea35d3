import { expect, test } from 'vitest'
import { testColours } from '#testing/look.ts'
import { composeMail } from './server/compose.ts'
import { greet } from './server/messages.ts'

const sender = { brandName: 'Fantail Mobile', colours: testColours, publicUrl: 'https://my.example.nz' }
const mail = {
  heading: 'Activation complete',
  paragraphs: ['Kia ora Ana, your SIM is active.', 'Put it into your phone.'],
  rows: [
    ['Order', 'FT0000000001'],
    ['Total', '$22.00 NZD'],
  ] as [string, string][],
  button: { text: 'Confirm my email address', url: 'https://my.example.nz/verify/?token=a-b_c' },
}

test('a mail reads the same in both its forms', () => {
  const { text, html } = composeMail(sender, mail)
  expect(text).toBe(`Activation complete

Kia ora Ana, your SIM is active.

Put it into your phone.

Order: FT0000000001
Total: $22.00 NZD

Confirm my email address:
https://my.example.nz/verify/?token=a-b_c

Fantail Mobile
https://my.example.nz
`)
  for (const words of [mail.heading, ...mail.paragraphs, ...mail.rows.flat(), mail.button.text])
    expect(html).toContain(words)
  expect(html).toContain('href="https://my.example.nz/verify/?token=a-b_c"')
})

test('without facts and without a button nothing of them is left', () => {
  const { text, html } = composeMail(sender, { ...mail, rows: [], button: null })
  expect(text).not.toContain('Order')
  expect(html).not.toContain('<table')
  expect(html.match(/<a /g)).toHaveLength(1)
})

test('it wears the colours of the brand by day, and no others', () => {
  const { html } = composeMail(sender, mail)
  const worn = new Set(html.match(/#[0-9a-f]{3,8}\b/gi))
  const { brand, 'brand-ink': onBrand, ink, 'ink-2': quiet, line, paper, surface } = testColours
  expect(worn).toEqual(new Set([brand, onBrand, ink, quiet, line, paper, surface].map(({ light }) => light)))
  expect(html).toContain(`background:${brand.light};color:${onBrand.light};text-decoration:none`)
})

test('markup in any place is text', () => {
  const evil = `"><script>alert('1')</script>&amp;`
  const { html } = composeMail(
    { ...sender, brandName: evil, publicUrl: evil },
    {
      heading: evil,
      paragraphs: [evil],
      rows: [[evil, evil]],
      button: { text: evil, url: `https://my.example.nz/${evil}` },
    },
  )
  expect(html).not.toContain('<script')
  expect(html).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;')
})

test.each([
  ['Ana', 'Kia ora Ana'],
  ['Ngā', 'Kia ora Ngā'],
  ['J.R.', 'Kia ora J.R.'],
  ["O'Brien", "Kia ora O'Brien"],
  ['https://evil.example', 'Kia ora'],
  ['evil.example', 'Kia ora'],
  ['//evil', 'Kia ora'],
  ['me@evil', 'Kia ora'],
])('%s is greeted with %j', (name, greeting) => expect(greet(name)).toBe(greeting))
