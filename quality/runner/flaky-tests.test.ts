import { describe, expect, test } from 'vitest'
import type { Entry } from './test-record.ts'
import { listFailures, listFilesToRepeat, findFlakyFaults, type FlakyTest, mergeRepeatedRun } from './flaky-tests.ts'

const passed = (file: string, name: string): Entry => ({ file, test: name, state: 'passed' })
const failed = (file: string, name: string): Entry => ({ file, test: name, state: 'failed', why: `${name} failed` })
const ended = (file: string, faults: string[] = []): Entry => ({ ended: file, seconds: 1, faults })
const flakyTest = (file: string, name: string): FlakyTest => ({ file, test: name, projects: ['api'], why: 'no' })

describe('listFilesToRepeat, which selects failed test files for a second run', () => {
  test('listFilesToRepeat returns the files that contain a failed test or failed outside any test', () => {
    const diary = [
      { files: 3 },
      failed('one', 'a'),
      ended('one'),
      passed('two', 'b'),
      ended('two'),
      ended('three', ['a hook threw']),
    ]
    expect(listFilesToRepeat(diary)).toEqual(['one', 'three'])
  })

  test('listFilesToRepeat returns no files if more than three files failed', () => {
    expect(listFilesToRepeat(['one', 'two', 'three', 'four'].map((file) => failed(file, 'a')))).toEqual([])
  })

  test('listFilesToRepeat returns no files if an error does not belong to any file', () => {
    expect(listFilesToRepeat([failed('one', 'a'), { unhandled: 'not caught' }])).toEqual([])
  })

  test('listFilesToRepeat returns no files if the run ended before all of its files had finished', () => {
    expect(listFilesToRepeat([{ files: 2 }, failed('one', 'a'), ended('one'), { began: 'two' }])).toEqual([])
  })
})

describe('running failed test files a second time', () => {
  const first = [
    passed('one', 'a'),
    failed('one', 'b'),
    ended('one', ['a hook threw']),
    failed('two', 'c'),
    ended('two'),
  ]

  test('if every test in a file passes in the second run, its earlier failures count as flaky', () => {
    const { diary, flaky } = mergeRepeatedRun(
      first,
      [passed('one', 'b'), ended('one'), failed('two', 'c'), ended('two')],
      ['api'],
    )
    expect(flaky).toEqual([
      { file: 'one', test: 'b', why: 'b failed', projects: ['api'] },
      { file: 'one', test: '(outside of a test)', why: 'a hook threw', projects: ['api'] },
    ])
    expect(listFailures(diary)).toEqual([{ file: 'two', test: 'c', why: 'c failed' }])
  })

  test('failures are kept if a different test in the file fails in the second run, or if that run is incomplete', () => {
    const incomplete = [
      [failed('one', 'a'), passed('one', 'b'), ended('one')],
      [passed('one', 'b')],
      [passed('one', 'b'), ended('one'), { unhandled: 'not caught' }],
      [{ files: 2 }, passed('one', 'b'), ended('one')],
    ]
    for (const second of incomplete)
      expect(mergeRepeatedRun(first, second, ['api'])).toEqual({ diary: first, flaky: [] })
  })
})

describe('limiting the number of flaky tests', () => {
  test('a single new flaky test does not fail the run', () => {
    expect(findFlakyFaults([flakyTest('one', 'a')], [flakyTest('one', 'b')])).toEqual([])
  })

  test('two flaky tests fail the run', () => {
    expect(findFlakyFaults([flakyTest('one', 'a'), flakyTest('two', 'a')], [])).toEqual([
      '2 tests were flaky; at most 1 may be.',
    ])
  })

  test('a test that is flaky again and already on the list of known flaky tests fails the run', () => {
    expect(findFlakyFaults([flakyTest('one', 'a')], [flakyTest('one', 'a')])).toEqual([
      'one: a was flaky before and has not been fixed since.',
    ])
  })
})
