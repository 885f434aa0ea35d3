import { expect, test } from 'vitest'
import { parts, readWish } from './arguments.ts'

test('without a word it is short, and has all parts', () => {
  expect(readWish([])).toEqual({ isFull: false, only: parts, services: null, out: null })
})

test('each word is taken', () => {
  expect(readWish(['--full', '--only', 'server', '--services', '50000', '--out', 'figures.json'])).toEqual({
    isFull: true,
    only: ['server'],
    services: 50_000,
    out: 'figures.json',
  })
})

test.each([
  [['--only', 'serve'], `--only takes ${parts.join(', ')}, not serve.`],
  [['--services', '10'], '--services takes a number from 1000 to 99999999, not 10.'],
  [['--fast'], "Unknown option '--fast'"],
])('%j is refused', (args, complaint) => expect(() => readWish(args)).toThrow(complaint))
