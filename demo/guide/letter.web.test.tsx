import { describe, expect, test } from 'vitest'
import { composeMail } from '#features/messages/server/mail-content.ts'
import { markets } from '#kit/server/markets.ts'
import { testColours } from '#quality/support/test-brand-assets.ts'
import { fantailProvider } from '#quality/support/provider.ts'
import { letterOf, safeAddress, wordsOfLinks } from './letter.js'

const drawn = (html: string) => letterOf(html).innerHTML

describe('displaying emails in the demo mailbox', () => {
  test('the demo mailbox keeps an email’s headings, paragraphs, lists and tables, but removes their attributes', () => {
    expect(drawn('<h1 style="color:red" class="x">Hi</h1><p id="p">One<br>two</p><ul><li>a</li></ul>')).toBe(
      '<h3>Hi</h3><p>One<br>two</p><ul><li>a</li></ul>',
    )
    expect(drawn('<table role="presentation"><tr><td width="9">Total</td></tr></table>')).toBe(
      '<table><tbody><tr><td>Total</td></tr></tbody></table>',
    )
  })

  test('the demo mailbox replaces an unknown HTML element in an email with its text', () => {
    expect(drawn('<section><marquee>Sale</marquee> <font>now</font></section>')).toBe('Sale now')
  })

  test('the demo mailbox shows a link as a button if it is the only thing in its paragraph', () => {
    expect(drawn('<p><a href="https://fantail.example/verify/" style="padding:1px">Confirm</a></p>')).toBe(
      '<p><a href="https://fantail.example/verify/" class="button">Confirm</a></p>',
    )
    expect(drawn('<p>Or <a href="https://fantail.example/">here</a></p>')).toBe(
      '<p>Or <a href="https://fantail.example/">here</a></p>',
    )
  })

  test('an email sent by the portal appears in the demo mailbox with its heading, rows and button', () => {
    const mail = {
      heading: 'Activation complete',
      paragraphs: ['Kia ora <Ana>'],
      rows: [['Order', 'FM1']] as [string, string][],
      button: { text: 'Confirm', url: 'http://localhost/verify/?token=a&b' },
    }
    const { html } = composeMail(
      {
        market: markets.NZ,
        brandName: 'Fantail Mobile',
        colours: testColours,
        help: fantailProvider.brand.help,
        publicUrl: 'http://localhost',
      },
      mail,
    )
    const letter = letterOf(html)
    expect(letter.querySelector('h3')?.textContent).toBe('Activation complete')
    expect(letter.querySelector('td:last-child')?.textContent).toBe('FM1')
    expect(letter.querySelector('a.button')?.getAttribute('href')).toBe('http://localhost/verify/?token=a&b')
    expect(letter.textContent).toContain('Kia ora <Ana>')
    expect(wordsOfLinks(html).get('http://localhost/verify/?token=a&b')).toBe('Confirm')
  })
})

test.each([
  '<script>alert(1)</script>',
  '<style>*{display:none}</style>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<svg><script>alert(1)</script></svg>',
  '<object data="x"></object><embed src="x">',
  '<template><p>x</p></template>',
  '<!-- a comment -->',
])('the demo mailbox removes the HTML %s from an email', (html) => expect(drawn(html)).toBe(''))

test.each([
  ['<p onclick="alert(1)" onmouseover=alert(1)>x</p>', '<p>x</p>'],
  ['<img src="https://evil.example/x.png" onerror="alert(1)" alt="A picture">', 'A picture'],
  ['<a href="javascript:alert(1)">x</a>', 'x'],
  ['<a href=" java\nscript:alert(1)">x</a>', 'x'],
  ['<a href="data:text/html,x">x</a>', 'x'],
  ['<a href="/account/">x</a>', 'x'],
  ['<form action="https://evil.example/"><input name="pin">Your PIN</form>', 'Your PIN'],
  ['<p>it was on time="9" style="x"</p>', '<p>it was on time="9" style="x"</p>'],
])('the demo mailbox shows the HTML %s as %s', (html, letter) => expect(drawn(html)).toBe(letter))

test('only web and email addresses become links in the demo mailbox', () => {
  expect(safeAddress('https://fantail.example/a')).toBe('https://fantail.example/a')
  expect(safeAddress('mailto:hello@fantail.example')).toBe('mailto:hello@fantail.example')
  for (const address of ['javascript:alert(1)', 'vbscript:x', 'file:///etc/passwd', '//evil.example/', '', null])
    expect(safeAddress(address)).toBeNull()
})
