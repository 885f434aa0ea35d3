import { createGunzip, gunzipSync } from 'node:zlib'
import { once } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlOf } from './document.ts'
import { gzipPage, plainPage } from './gzip-page.ts'

const text = fc.string({
  unit: fc.constantFrom('<p>', '</p>', 'Kia ora', ' ', 'ā', '’', '\u{1f426}', 'x', '\ud800'),
  maxLength: 3_000,
})

test('whatever a page is of, it comes back whole, the same head and tail again and again', () => {
  const pages = fc.record({ head: text, tail: text, owns: fc.array(text, { minLength: 1, maxLength: 4 }) })
  fc.assert(
    fc.property(pages, ({ head, tail, owns }) => {
      // What is no character is replaced, as everywhere.
      for (const own of owns)
        expect(gunzipSync(gzipPage({ own, same: { head, tail } })).toString()).toBe(
          [head, own, tail].map((part) => part.toWellFormed()).join(''),
        )
    }),
    { numRuns: 60 },
  )
})

test('a page that is longer than can be referred to back is whole', () => {
  const head = Array.from({ length: 20_000 }, (_, nth) => `${nth} `).join('')
  const page = { own: head.slice(0, 5_000) + head.slice(-5_000), same: { head, tail: 'end' } }
  expect(gunzipSync(gzipPage(page)).toString()).toBe(htmlOf(page))
  expect(plainPage(page).toString()).toBe(htmlOf(page))
})

test('it is one stream, which can be read as it comes', async () => {
  const page = {
    own: 'own '.repeat(1_000),
    same: { head: 'head '.repeat(1_000), tail: 'tail '.repeat(100) },
  }
  const unpacked = createGunzip()
  let read = ''
  unpacked.setEncoding('utf8').on('data', (piece: string) => (read += piece))
  for (const byte of gzipPage(page)) unpacked.write(Buffer.of(byte))
  unpacked.end()
  await once(unpacked, 'end')
  expect(read).toBe(htmlOf(page))
})

test('what is one visitor’s own is no part of the next page', () => {
  const same = { head: '<main>', tail: '</main>' }
  const [ana, ben] = [gzipPage({ own: 'Ana', same }), gzipPage({ own: 'Ben', same })]
  expect([gunzipSync(ana).toString(), gunzipSync(ben).toString()]).toEqual(['<main>Ana</main>', '<main>Ben</main>'])
})
