import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type Report, type Tally, check, conclude, countsOf, faultsOf } from './tally.ts'

const report = (change: Partial<Report> = {}): Report => ({
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [fileOf('one.test.ts', [{ fullName: 'all is well', status: 'passed', failureMessages: [] }])],
  ...change,
})

type TestFile = Report['testResults'][number]

const fileOf = (path: string, assertionResults: TestFile['assertionResults'], message = ''): TestFile => ({
  name: join(process.cwd(), path),
  status: assertionResults.some(({ status }) => status === 'failed') || message ? 'failed' : 'passed',
  message,
  assertionResults,
})

describe('counting a report', () => {
  test('all is well', () => expect(countsOf(report(), true)).toEqual({ passed: 7, failed: 0, skipped: 0 }))

  test('failures are counted once, whatever the exit code', () => {
    expect(countsOf(report({ numFailedTests: 2 }), false)).toEqual({ passed: 7, failed: 2, skipped: 0 })
    expect(countsOf(report({ numFailedTests: 2 }), true)).toEqual({ passed: 7, failed: 2, skipped: 0 })
  })

  test('a file that cannot be loaded is a failure', () => {
    const testResults = [fileOf('one.test.ts', [], 'no such module')]
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

describe('telling what failed', () => {
  test('a test by its file, its name and the beginning of its message', () => {
    const message = ['Error: three', ...Array.from({ length: 40 }, (_, line) => `at ${line}`)].join('\n')
    const tests = [{ fullName: 'counts to two', status: 'failed', failureMessages: [message] }, { fullName: 'sleeps', status: 'passed', failureMessages: [] }]
    const [fault = '', ...others] = faultsOf(report({ testResults: [fileOf('kit/two.test.ts', tests)] }))
    expect(others).toEqual([])
    expect(fault.split('\n').slice(0, 2)).toEqual(['kit/two.test.ts: counts to two', '    Error: three'])
    expect(fault).toContain('at 9')
    expect(fault).not.toContain('at 30')
  })

  test('a file that cannot be loaded by its message', () => {
    expect(faultsOf(report({ testResults: [fileOf('kit/two.test.ts', [], 'no such module')] }))).toEqual(['kit/two.test.ts\n    no such module'])
  })

  test('nothing when nothing failed, or nothing is known', () => expect([...faultsOf(report()), ...faultsOf(null)]).toEqual([]))
})

describe('the last word', () => {
  const part = (name: string, passed: number, failed: number, faults: string[] = []): Tally => ({ name, seconds: 1, passed, failed, skipped: 0, faults })

  function linesOf(parts: Tally[]): { last: string | undefined; print: string; exitCode: typeof process.exitCode } {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    const before = process.exitCode
    conclude(parts)
    const { exitCode } = process
    process.exitCode = before
    const lines = print.mock.calls.flat().join('\n').split('\n')
    return { last: lines.at(-1), print: lines.join('\n'), exitCode }
  }

  test('sums the parts on a line of its own', () => {
    expect(linesOf([part('types', 1, 0), part('tests', 40, 0)])).toMatchObject({ last: '41 passed, 0 failed', exitCode: 0 })
  })

  test('is no for all when it is no for one', () => {
    expect(linesOf([part('types', 0, 1), part('tests', 40, 0)])).toMatchObject({ last: '40 passed, 1 failed', exitCode: 1 })
  })

  test('has what failed right before it', () => {
    const { print } = linesOf([part('tests', 40, 1, ['one.test.ts: is one'])])
    expect(print).toMatch(/── result ──\n✗ tests: 40 passed, 1 failed \(1\.0 s\)\n {2}one\.test\.ts: is one\n\n40 passed, 1 failed$/)
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
