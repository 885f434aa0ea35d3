import { expect, test } from 'vitest'
import { parts, readBenchOptions } from './arguments.ts'

test('by default, a benchmark run is short and omits the comparison with other platforms', () => {
  expect(readBenchOptions([])).toEqual({ isFull: false, only: parts.slice(0, -1), services: null, out: null })
  expect(parts.at(-1)).toBe('peers')
  expect(readBenchOptions(['--full']).only).toEqual(parts)
  expect(readBenchOptions(['--only', 'peers']).only).toEqual(['peers'])
})

test('the benchmark’s command line accepts every option', () => {
  expect(readBenchOptions(['--full', '--only', 'server', '--services', '50000', '--out', 'figures.json'])).toEqual({
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
])('a benchmark run rejects the arguments %j', (args, complaint) =>
  expect(() => readBenchOptions(args)).toThrow(complaint),
)
