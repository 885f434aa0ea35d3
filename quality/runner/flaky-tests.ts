import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './test-record.ts'

/** A test that failed in the full run but passed when its file was run again on its own. */
export type FlakyTest = {
  file: string
  test: string
  projects: string[]
  why: string
}

/** The path of the list of known flaky tests. Whoever fixes a flaky test also removes it from the list in the same commit. */
export const flakyListPath = join(import.meta.dirname, 'flaky-tests.json')

/** The maximum number of files that are run again. If more files fail, chance is unlikely to be the cause. */
const maxRepeatedFiles = 3

export const maxFlakyTests = 1

type Failure = { file: string; test: string; why: string }

/** Returns the tests that failed, and the files that failed outside a test, either while loading or in a hook. */
export function listFailures(diary: readonly Entry[]): Failure[] {
  return diary.flatMap((entry): Failure[] => {
    if ('test' in entry && entry.state === 'failed')
      return [{ file: entry.file, test: entry.test, why: entry.why ?? '' }]
    if ('ended' in entry) return entry.faults.map((why) => ({ file: entry.ended, test: '(outside of a test)', why }))
    return []
  })
}

/** Returns whether every file in the run finished, with no errors outside the files. A run that crashed is not complete. */
function isComplete(diary: readonly Entry[]): boolean {
  const expectedFileCount = diary.reduce((sum, entry) => sum + ('files' in entry ? entry.files : 0), 0)
  const ended = diary.filter((entry) => 'ended' in entry).length
  return ended >= expectedFileCount && !diary.some((entry) => 'unhandled' in entry)
}

/** Returns the files to run again on their own. There are none if the run was incomplete or too many files failed. */
export function listFilesToRepeat(diary: readonly Entry[]): string[] {
  if (!isComplete(diary)) return []
  const files = [...new Set(listFailures(diary).map(({ file }) => file))]
  return files.length <= maxRepeatedFiles ? files : []
}

/**
 * Combines the record of a run with that of its repetition. If all of a file's tests pass in the repetition, its earlier failures are
 * considered flaky and count as passed. If a file fails again, its first failures stand.
 */
export function mergeRepeatedRun(
  first: readonly Entry[],
  second: readonly Entry[],
  projects: string[],
): { diary: Entry[]; flaky: FlakyTest[] } {
  const repeatedlyFailedFiles = new Set(listFailures(second).map(({ file }) => file))
  const completedTests = new Set(second.flatMap((entry) => ('ended' in entry ? [entry.ended] : [])))
  const isSecondRunComplete = isComplete(second)
  const hasPassed = (file: string): boolean =>
    isSecondRunComplete && completedTests.has(file) && !repeatedlyFailedFiles.has(file)
  const flaky = listFailures(first).filter(({ file }) => hasPassed(file))
  const diary = first.map((entry): Entry => {
    if ('test' in entry && entry.state === 'failed' && hasPassed(entry.file))
      return { file: entry.file, test: entry.test, state: 'passed' }
    return 'ended' in entry && hasPassed(entry.ended) ? { ...entry, faults: [] } : entry
  })
  return { diary, flaky: flaky.map((each) => ({ ...each, projects })) }
}

export const readFlakyList = (): FlakyTest[] =>
  existsSync(flakyListPath) ? (JSON.parse(readFileSync(flakyListPath, 'utf8')) as FlakyTest[]) : []

const isIn = (list: readonly FlakyTest[], { file, test }: FlakyTest): boolean =>
  list.some((each) => each.file === file && each.test === test)

export function findFlakyFaults(flaky: readonly FlakyTest[], known = readFlakyList()): string[] {
  return [
    ...flaky
      .filter((each) => isIn(known, each))
      .map(({ file, test }) => `${file}: ${test} was flaky before and has not been fixed since.`),
    ...(flaky.length > maxFlakyTests ? [`${flaky.length} tests were flaky; at most ${maxFlakyTests} may be.`] : []),
  ]
}

export function addToFlakyList(flaky: readonly FlakyTest[]): void {
  const known = readFlakyList()
  const added = flaky
    .filter((each) => !isIn(known, each))
    // Leave out the stack traces, because they contain paths that exist on only one machine.
    .map((each) => ({ ...each, why: each.why.split('\n')[0] ?? '' }))
  if (added.length > 0) writeFileSync(flakyListPath, `${JSON.stringify([...known, ...added], null, 2)}\n`)
}
