import { expect, test } from 'vitest'
import { markets } from '#kit/server/markets.ts'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { composeMail } from './server/mail-content.ts'
import { buildGreeting } from './server/messages.ts'

const sender = {
  market: markets.NZ,
  brandName: 'Fantail Mobile',
  colours: testColours,
  help: { phone: '0800 326 824', hours: '8 am to 8 pm' },
  publicUrl: 'https://my.example.nz',
}
const mail = {
  heading: 'Activation complete',
  paragraphs: ['Kia ora Ana, your SIM is active.', 'Put it into your phone.'],
  rows: [
    ['Order', 'FT0000000001'],
    ['Total', '$22.00 NZD'],
  ] as [string, string][],
  button: { text: 'Confirm my email address', url: 'https://my.example.nz/verify/?token=a-b_c' },
}

/** Replaces non-breaking spaces with ordinary ones, because they affect only the layout. */
const plain = (html: string): string => html.replaceAll('\u00A0', ' ')

test('an email’s plain text and HTML versions have the same content', () => {
  const { text, html } = composeMail(sender, mail)
  expect(text).toBe(`Activation complete

Kia ora Ana, your SIM is active.

Put it into your phone.

Order: FT0000000001
Total: $22.00 NZD

Confirm my email address:
https://my.example.nz/verify/?token=a-b_c

Need a person? 0800 326 824, 8 am to 8 pm

Fantail Mobile
https://my.example.nz
`)
  for (const words of [mail.heading, ...mail.paragraphs, ...mail.rows.flat(), mail.button.text])
    expect(plain(html)).toContain(words)
  expect(html).toContain('href="https://my.example.nz/verify/?token=a-b_c"')
  expect(plain(html)).toMatch(/Need a person\? <a href="tel:0800326824"[^>]*>0800 326 824<\/a>, 8 am to 8 pm/)
})

test('an email without rows or a button contains no table and no button', () => {
  const { text, html } = composeMail(sender, { ...mail, rows: [], button: null })
  expect(text).not.toContain('Order')
  expect(html).not.toContain('<table')
  expect([...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    'tel:0800326824',
    'https://my.example.nz',
  ])
})

test.each([
  ['your plan for 021 747 8871 ends', '021_747_8871'],
  ['Visa, $22.00 NZD', '$22.00_NZD'],
  ['on Thu 24 Dec 2026 at 9 am', 'Thu_24_Dec_2026 at 9_am'],
  ['25 GB in all', '25_GB in'],
  ['3 days, of which 1 May be free', 'of which 1_May be'],
])('an email never breaks a line inside a number, an amount or a date: “%s”', (sentence, whole) => {
  const { html, text } = composeMail(sender, { ...mail, paragraphs: [sentence], rows: [['Fact', sentence]] })
  expect(html.split(whole.replaceAll('_', '\u00A0'))).toHaveLength(3)
  expect(text).toContain(sentence)
})

test('only the portal’s own URLs become links in an email', () => {
  const [own, foreign] = ['https://my.example.nz/services/renew/1ab/', 'https://my.example.net/a/']
  const { html } = composeMail(sender, {
    ...mail,
    paragraphs: [`Renew it yourself: ${own}.`, `Not ${foreign}`],
    button: null,
  })
  const links = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual([own, 'tel:0800326824', 'https://my.example.nz'])
  expect(html).toContain(`${own}</a>.</p>`)
})

test('an email uses the brand’s light-mode colours and no others', () => {
  const { html } = composeMail(sender, mail)
  const worn = new Set(html.match(/#[0-9a-f]{3,8}\b/gi))
  const { brand, 'brand-ink': onBrand, ink, 'ink-2': quiet, line, paper, surface } = testColours
  expect(worn).toEqual(new Set([brand, onBrand, ink, quiet, line, paper, surface].map(({ light }) => light)))
  expect(html).toContain(`background:${brand.light};color:${onBrand.light};text-decoration:none`)
})

test('markup in any field of an email is escaped', () => {
  const evil = `"><script>alert('1')</script>&amp;`
  const { html } = composeMail(
    { ...sender, brandName: evil, help: { phone: evil, hours: evil }, publicUrl: evil },
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
])('a customer named %s is greeted with %j', (name, greeting) => expect(buildGreeting(sender, name)).toBe(greeting))

test('emails in Australia use an Australian greeting', () => {
  const australian = { market: markets.AU }
  expect([
    buildGreeting(australian, 'Ana'),
    buildGreeting(australian),
    buildGreeting(australian, 'evil.example'),
  ]).toEqual(['Hello Ana', 'Hello', 'Hello'])
})
