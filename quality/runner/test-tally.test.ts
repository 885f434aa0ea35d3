import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { TestCase } from 'vitest/node'
import { createTestRecordReporter, type Entry, readRecord } from './test-record.ts'
import { type Tally, check, reportResults, sumOf } from './test-tally.ts'
import { pollUntil } from '#quality/support/poll-until.ts'

const passed = (test: string, file = 'one.test.ts'): Entry => ({ file, test, state: 'passed' })
const failed = (test: string, why: string, file = 'one.test.ts'): Entry => ({ file, test, state: 'failed', why })
const ended = (file = 'one.test.ts', faults: string[] = [], seconds = 1): Entry => ({ ended: file, seconds, faults })
const whole = (...tests: Entry[]): Entry[] => [{ files: 1 }, { began: 'one.test.ts' }, ...tests, ended()]
const countsOf = (diary: Entry[], ok: boolean) => {
  const { passed: good, failed: bad, skipped } = sumOf(diary, { ok })
  return { passed: good, failed: bad, skipped }
}

describe('counting the tests of a run', () => {
  test('a test run whose tests all pass has no failures', () =>
    expect(countsOf(whole(passed('a'), passed('b')), true)).toEqual({ passed: 2, failed: 0, skipped: 0 }))

  test('each failure in a test run is counted once, whatever the exit code', () => {
    const diary = whole(passed('a'), failed('b', 'no'), failed('c', 'no'))
    expect(countsOf(diary, false)).toEqual({ passed: 1, failed: 2, skipped: 0 })
    expect(countsOf(diary, true)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  })

  test('a test file that cannot be loaded counts as a failure', () => {
    expect(countsOf([{ files: 2 }, passed('a'), ended(), ended('two.test.ts', ['no such module'])], false)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    })
  })

  test('an error outside any test counts as a failure', () => {
    expect(countsOf([...whole(passed('a')), { unhandled: 'not caught' }], false)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    })
  })

  test('an exit code that signals an error counts as a failure even if no test failed', () => {
    expect(countsOf(whole(passed('a')), false)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  test('a test run that has recorded nothing counts as a failure', () =>
    expect(countsOf([], true)).toEqual({ passed: 0, failed: 1, skipped: 0 }))

  test('skipped tests are counted separately', () => {
    expect(countsOf(whole(passed('a'), { file: 'one.test.ts', test: 'b', state: 'skipped' }), true)).toEqual({
      passed: 1,
      failed: 0,
      skipped: 1,
    })
  })

  test('the result of a test run includes how long each test file took', () => {
    expect(
      sumOf([passed('a'), ended('one.test.ts', [], 2.5), ended('two.test.ts', [], 4)], { ok: true }).files,
    ).toEqual([
      { path: 'one.test.ts', seconds: 2.5 },
      { path: 'two.test.ts', seconds: 4 },
    ])
  })
})

describe('a test run that was stopped', () => {
  const diary: Entry[] = [
    { files: 9 },
    { began: 'one.test.ts' },
    passed('a'),
    { began: 'two.test.ts' },
    { began: 'three.test.ts' },
    passed('b', 'two.test.ts'),
    ended(),
  ]

  test('a test run that was stopped reports the results so far and names the files that were still running', () => {
    expect(sumOf(diary, { ok: false, stopped: 'after its 4 minutes' })).toMatchObject({
      passed: 2,
      failed: 1,
      faults: ['It was stopped after its 4 minutes, with 1 of 9 files done, in two.test.ts and three.test.ts.'],
    })
  })

  test('a test run that was stopped counts as failed, even if no file was running at the time', () => {
    expect(sumOf(whole(passed('a')), { ok: false, stopped: 'by SIGTERM' })).toMatchObject({
      failed: 1,
      faults: ['It was stopped by SIGTERM, with 1 of 1 files done.'],
    })
  })

  test('an incomplete last line in the record of a stopped test run is ignored', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fantail-diary-'))
    const path = join(folder, 'diary')
    expect(readRecord(path)).toEqual([])
    writeFileSync(path, `${JSON.stringify(passed('a'))}\n{"file":"one.te`)
    expect(readRecord(path)).toEqual([passed('a')])
    rmSync(folder, { recursive: true })
  })
})

describe('reporting failed tests', () => {
  test('a failed assertion is reported with its diff and its location', () => {
    const folder = mkdtempSync(join(tmpdir(), 'fantail-diary-'))
    const error = {
      message: 'expected [ Array(1) ] to deeply equal []',
      stack: 'AssertionError: expected [ Array(1) ] to deeply equal []\n    at one.test.ts:74:5',
      diff: '\u001b[32m- []\u001b[39m\n\u001b[31m+ [ "a line of the log" ]\u001b[39m',
    }
    const failing = {
      fullName: 'a',
      module: { moduleId: 'one.test.ts' },
      result: () => ({ state: 'failed', errors: [error] }),
    }
    createTestRecordReporter(join(folder, 'diary')).onTestCaseResult?.(failing as unknown as TestCase)
    const place = '\n    at one.test.ts:74:5'
    expect(readRecord(join(folder, 'diary'))).toMatchObject([
      { why: `AssertionError: ${error.message}\n- []\n+ [ "a line of the log" ]${place}` },
    ])
    rmSync(folder, { recursive: true })
  })

  test('a failed test is reported with its file, its name and the start of its message', () => {
    const message = ['Error: three', ...Array.from({ length: 40 }, (_, line) => `at ${line}`)].join('\n')
    const {
      faults: [fault = '', ...others],
    } = sumOf([failed('counts to two', message, 'kit/two.test.ts'), passed('sleeps', 'kit/two.test.ts')], { ok: false })
    expect(others).toEqual([])
    expect(fault.split('\n').slice(0, 2)).toEqual(['kit/two.test.ts: counts to two', '    Error: three'])
    expect(fault).toContain('at 9')
    expect(fault).not.toContain('at 30')
  })

  test('a test file that cannot be loaded is reported along with its error message', () => {
    expect(sumOf([ended('kit/two.test.ts', ['no such module'])], { ok: false }).faults).toEqual([
      'kit/two.test.ts\n    no such module',
    ])
  })

  test('a test run without failures reports no faults', () =>
    expect(sumOf(whole(passed('a')), { ok: true }).faults).toEqual([]))
})

describe('the summary of a test run', () => {
  const part = (name: string, good: number, bad: number, more: Partial<Tally> = {}): Tally => ({
    name,
    seconds: 1,
    passed: good,
    failed: bad,
    skipped: 0,
    faults: [],
    files: [],
    flaky: [],
    ...more,
  })

  function linesOf(parts: Tally[]): { last: string | undefined; print: string; exitCode: typeof process.exitCode } {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    const before = process.exitCode
    reportResults(parts)
    const { exitCode } = process
    process.exitCode = before
    const lines = print.mock.calls.flat().join('\n').split('\n')
    return { last: lines.at(-1), print: lines.join('\n'), exitCode }
  }

  test('the last line of a test run’s summary adds up the results of all parts', () => {
    expect(linesOf([part('types', 1, 0), part('tests', 40, 0)])).toMatchObject({
      last: '41 passed, 0 failed',
      exitCode: 0,
    })
  })

  test('the whole test run fails when one of its parts fails', () => {
    expect(linesOf([part('types', 0, 1), part('tests', 40, 0)])).toMatchObject({
      last: '40 passed, 1 failed',
      exitCode: 1,
    })
  })

  test('a test run’s summary lists the failures just before its last line', () => {
    const { print } = linesOf([part('tests', 40, 1, { faults: ['one.test.ts: is one'] })])
    expect(print).toMatch(
      /── result ──\n✗ tests: 40 passed, 1 failed \(1\.0 s\)\n {2}one\.test\.ts: is one\n\n40 passed, 1 failed$/,
    )
  })

  test('a test run’s summary names the ten slowest files of all parts', () => {
    const files = (from: number) =>
      Array.from({ length: 8 }, (_, index) => ({ path: `${from + index}.test.ts`, seconds: from + index }))
    const { print } = linesOf([
      part('tests', 40, 0, { files: files(1) }),
      part('more tests', 40, 0, { files: files(101) }),
    ])
    const named = print
      .split('the slowest files:\n')[1]
      ?.split('\n\n')[0]
      ?.split('\n')
      .map((line) => line.trim())
    expect(named).toEqual(
      [108, 107, 106, 105, 104, 103, 102, 101, 8, 7].map((seconds) => `${seconds}.0 s  ${seconds}.test.ts`),
    )
  })
})

describe('checks other than vitest, such as linting', () => {
  const tried = (program: string, args: string[], minutes?: number) => {
    vi.spyOn(console, 'log').mockReturnValue()
    return check('a check', program, args, { ...(minutes !== undefined && { minutes }) })
  }

  test('a check passes if its program exits with 0, and fails otherwise', async () => {
    expect(await tried('node', ['-e', ''])).toMatchObject({ passed: 1, failed: 0 })
    expect(await tried('node', ['-e', 'process.exit(3)'])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('a check fails if its program does not exist', async () => {
    expect(await tried('no-such-program-anywhere', [])).toMatchObject({ passed: 0, failed: 1 })
  })

  test('when a check reaches its time limit, it is stopped along with any processes that it started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fantail-check-'))
    const path = join(folder, 'pid')
    const idle = 'setInterval(() => {}, 1_000)'
    const program =
      `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', '${idle}']); ` +
      `require('node:fs').writeFileSync(${JSON.stringify(path)}, String(pid)); ${idle}`
    expect(await tried('node', ['-e', program], 3 / 60)).toMatchObject({
      passed: 0,
      failed: 1,
      faults: [expect.stringMatching(/^It was stopped after its/)],
    })
    const pid = Number(readFileSync(path, 'utf8'))
    await pollUntil(async () => !isAlive(pid))
    rmSync(folder, { recursive: true })
  })

  function isAlive(pid: number): boolean {
    const state = `/proc/${pid}/stat`
    try {
      process.kill(pid, 0)
      // A zombie process counts as dead: its parent just has not collected its exit status yet.
      return !(existsSync(state) && readFileSync(state, 'utf8').includes(') Z '))
    } catch {
      return false
    }
  }
})
