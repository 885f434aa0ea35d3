import { describe, expect, test, vi } from 'vitest'
import { type Report, type Tally, check, conclude, countsOf } from './tally.ts'

const report = (change: Partial<Report> = {}): Report => ({
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}] }],
  ...change,
})

describe('counting a report', () => {
  test('all is well', () => expect(countsOf(report(), true)).toEqual({ passed: 7, failed: 0, skipped: 0 }))

  test('failures are counted once, whatever the exit code', () => {
    expect(countsOf(report({ numFailedTests: 2 }), false)).toEqual({ passed: 7, failed: 2, skipped: 0 })
    expect(countsOf(report({ numFailedTests: 2 }), true)).toEqual({ passed: 7, failed: 2, skipped: 0 })
  })

  test('a file that cannot be loaded is a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }]
    expect(countsOf(report({ testResults }), false)).toEqual({ passed: 7, failed: 1, skipped: 0 })
  })

  test('an exit code that no test explains is a failure', () => {
    expect(countsOf(report(), false)).toEqual({ passed: 7, failed: 1, skipped: 0 })
  })

  test('no report at all is a failure', () => {
    expect(countsOf(null, true)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  test('what was left out is told apart', () => {
    expect(countsOf(report({ numPendingTests: 2, numTodoTests: 1 }), true)).toEqual({ passed: 7, failed: 0, skipped: 3 })
  })
})

describe('the last word', () => {
  const part = (name: string, passed: number, failed: number): Tally => ({ name, seconds: 1, passed, failed, skipped: 0 })

  function linesOf(parts: Tally[]): { last: string | undefined; exitCode: typeof process.exitCode } {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    const before = process.exitCode
    conclude(parts)
    const { exitCode } = process
    process.exitCode = before
    return { last: print.mock.calls.flat().join('\n').split('\n').at(-1), exitCode }
  }

  test('sums the parts on a line of its own', () => {
    expect(linesOf([part('types', 1, 0), part('tests', 40, 0)])).toEqual({ last: '41 passed, 0 failed', exitCode: 0 })
  })

  test('is no for all when it is no for one', () => {
    expect(linesOf([part('types', 0, 1), part('tests', 40, 0)])).toEqual({ last: '40 passed, 1 failed', exitCode: 1 })
  })
})

describe('a check', () => {
  const tried = (program: string, args: string[]) => {
    vi.spyOn(console, 'log').mockReturnValue()
    return check('a check', program, args)
  }

  test('passes and fails with its exit code', async () => {
    expect(await tried('node', ['-e', ''])).toMatchObject({ passed: 1, failed: 0 })
    expect(await tried('node', ['-e', 'process.exit(3)'])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('fails when the program does not exist', async () => {
    expect(await tried('no-such-program-anywhere', [])).toMatchObject({ passed: 0, failed: 1 })
  })
})
