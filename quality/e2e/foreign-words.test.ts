import { expect, test } from 'vitest'
import { findForeignWords } from './foreign-words.ts'

test.each([
  'Kia ora Ana, it is here',
  'Call us on 0800 326 824',
  '021 555 0142',
  '+64 21 555 0142',
  '89 64 0500 0001',
  'NZD, including $2.87 GST',
  'Unlimited calls to New Zealand',
  'until a text from 2542 arrives',
  'reply YES by 12:40 pm',
])('“%s” is recognised as not Australian', (text) => expect(findForeignWords(text)).toHaveLength(1))

test.each([
  'Unlimited standard calls and texts to Australia and New Zealand',
  '0491 570 156 or 02 9374 4000, on 1800 326 824',
  'AUD, including $2.00 GST. ABN 51 824 753 556',
  'ana@example.nz',
])('“%s” is accepted as Australian', (text) => expect(findForeignWords(text)).toEqual([]))
