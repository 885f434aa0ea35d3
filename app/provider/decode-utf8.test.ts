import { expect, test } from 'vitest'
import { decodeUtf8 } from './decode-utf8.ts'

test.each([
  ['', ''],
  ['{"name": "Tūī 🐦"}', '{"name": "Tūī 🐦"}'],
  ['\uFEFF{"name": "Tūī"}', '{"name": "Tūī"}'],
  ['\uFFFD', '\uFFFD'],
])('UTF-8 is decoded, and a byte order mark is left out: %j', (written, text) => {
  expect(decodeUtf8(Buffer.from(written))).toEqual({ text })
})

test.each([
  ['with a byte order mark', Buffer.from('\uFEFF{}', 'utf16le')],
  ['with a byte order mark, big-endian', Buffer.from('\uFEFF{}', 'utf16le').swap16()],
  ['without a byte order mark', Buffer.from('{}', 'utf16le')],
  ['without a byte order mark, big-endian', Buffer.from('{}', 'utf16le').swap16()],
])('UTF-16 %s is recognised', (_, bytes) => {
  expect(decodeUtf8(bytes)).toEqual({ fault: 'line 1: must be UTF-8, not UTF-16.' })
})

test.each([
  ['Latin-1', Buffer.from('{\n"name": "Café"}', 'latin1'), 'line 2, column 13', '0xE9'],
  ['a character cut in half', Buffer.from('{"a": "ū').subarray(0, 8), 'line 1, column 8', '0xC5'],
  [
    'after a replacement character',
    Buffer.concat([Buffer.from('\uFFFDū'), Buffer.of(0xff)]),
    'line 1, column 3',
    '0xFF',
  ],
])('the fault names the position of the first byte that is not UTF-8: %s', (_, bytes, place, byte) => {
  expect(decodeUtf8(bytes)).toEqual({ fault: `${place}: must be UTF-8, not the byte ${byte}.` })
})
