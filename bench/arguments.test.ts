import { expect, test } from 'vitest'
import { parts, readWish } from './arguments.ts'

test('without a word it is short, and has all parts', () => {
  expect(readWish([])).toEqual({ isFull: false, only: parts, out: null })
})

test('each word is taken', () => {
  expect(readWish(['--full', '--only', 'server', '--out', 'figures.json'])).toEqual({
    isFull: true,
    only: ['server'],
    out: 'figures.json',
  })
})

test.each([
  [['--only', 'serve'], `--only takes ${parts.join(', ')}, not serve.`],
  [['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, complaint) => expect(() => readWish(args)).toThrow(complaint))
