import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findPngFault } from './png.ts'

const icon = readFileSync('demo/providers/fantail/icon-192.png')

test.each([
  ['an icon of the required size', icon, 192, null],
  ['an icon of another size', icon, 180, 'has 192 by 192 pixels; it must have 180 by 180.'],
  ['a truncated icon', icon.subarray(0, 1_000), 192, 'is incomplete.'],
  [
    'an SVG drawing',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"/>'),
    192,
    'is not a PNG.',
  ],
  ['an empty file', Buffer.alloc(0), 192, 'is not a PNG.'],
  [
    'an icon that is too large for a phone',
    Buffer.concat([icon.subarray(0, -12), Buffer.alloc(260 * 1024), icon.subarray(-12)]),
    192,
    'has 265 KB; at most 256.',
  ],
])('a provider’s PNG icon is accepted or rejected: %s', (_what, body, size, fault) =>
  expect(findPngFault(body, size)).toBe(fault),
)
