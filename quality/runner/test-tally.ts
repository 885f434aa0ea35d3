import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordPathVariable, type Entry, readRecord } from './test-record.ts'
import { addToFlakyList, listFilesToRepeat, findFlakyFaults, type FlakyTest, mergeRepeatedRun } from './flaky-tests.ts'

/** The result of one part of the tests. A check, such as linting, counts as a single test. */
export type Tally = {
  name: string
  seconds: number
  passed: number
  failed: number
  skipped: number
  faults: string[]
  files: TimedFile[]
  flaky: FlakyTest[]
}

type TimedFile = { path: string; seconds: number }

type Options = { env?: Record<string, string>; minutes?: number }

/** `tags` is an expression that selects tests by the tags defined in vitest.config.ts. */
type VitestOptions = Options & { files?: string[]; workers?: number; tags?: string }

type End = { ok: boolean; stopped?: string }

export async function check(name: string, command: string, args: string[], options: Options = {}): Promise<Tally> {
  const { seconds, ok, stopped } = await run(name, command, args, options)
  return {
    name,
    seconds,
    passed: ok ? 1 : 0,
    failed: ok ? 0 : 1,
    skipped: 0,
    faults: stopped ? [`It was stopped ${stopped}.`] : [],
    files: [],
    flaky: [],
  }
}

/**
 * Runs projects from vitest.config.ts, or only those of their files whose names contain one of the given strings. Counts their tests,
 * including those that finished before a stop. Failed files are run once more, on their own.
 */
export async function vitest(name: string, projects: string[], options: VitestOptions = {}): Promise<Tally> {
  const first = await runVitest(name, projects, options)
  const { seconds, diary, ...end } = first
  const repeatedFiles = end.stopped ? [] : listFilesToRepeat(diary)
  if (repeatedFiles.length === 0) return { name, seconds, flaky: [], ...sumOf(diary, end) }
  const secondRun = await runVitest(`${name}: second run of the failed files`, projects, {
    ...options,
    files: repeatedFiles,
    workers: 1,
  })
  const { diary: merged, flaky } = mergeRepeatedRun(diary, secondRun.diary, projects)
  // Ignore the exit code, which is explained by the failures in the first run.
  return { name, seconds: seconds + secondRun.seconds, flaky, ...sumOf(merged, { ok: true }) }
}

async function runVitest(
  name: string,
  projects: string[],
  { files = [], workers, tags, ...options }: VitestOptions,
): Promise<End & { seconds: number; diary: Entry[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-tests-'))
  const path = join(folder, 'diary')
  try {
    const end = await run(
      name,
      'vitest',
      [
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        ...(workers ? ['--maxWorkers', String(workers)] : []),
        ...(tags ? ['--tags-filter', tags] : []),
        ...files,
      ],
      { ...options, env: { ...options.env, [recordPathVariable]: path } },
    )
    return { ...end, diary: readRecord(path) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const maxLinesPerFailure = 12
const takeFirstLines = (why: string): string[] => why.split('\n').slice(0, maxLinesPerFailure)

/**
 * Sums up a run's record. A file that cannot be loaded, a hook that throws, a run that ends early and an unexplained exit code count as
 * failures, too. Reasons are cut short, because some readers see only the end of a long output.
 */
export function sumOf(diary: readonly Entry[], { ok, stopped }: End): Omit<Tally, 'name' | 'seconds' | 'flaky'> {
  const told = (name: string, why: string) => [name, ...takeFirstLines(why)].join('\n    ')
  const tests = diary.filter((entry) => 'test' in entry)
  const count = (state: string) => tests.filter((test) => test.state === state).length
  const ended = diary.filter((entry) => 'ended' in entry)
  const faults = [
    ...tests.filter(({ state }) => state === 'failed').map(({ file, test, why = '' }) => told(`${file}: ${test}`, why)),
    ...ended.flatMap((file) => file.faults.map((why) => told(file.ended, why))),
    ...diary.flatMap((entry) => ('unhandled' in entry ? [told('An error outside all tests', entry.unhandled)] : [])),
    ...(stopped ? [describeProgress(diary, stopped)] : []),
  ]
  if (faults.length === 0 && (!ok || tests.length === 0)) faults.push('It failed without an error message.')
  return {
    passed: count('passed'),
    failed: faults.length,
    skipped: count('skipped'),
    faults,
    files: ended.map((file) => ({ path: file.ended, seconds: file.seconds })),
  }
}

function describeProgress(diary: readonly Entry[], stopped: string): string {
  const total = diary.reduce((sum, entry) => ('files' in entry ? sum + entry.files : sum), 0)
  const ended = diary.flatMap((entry) => ('ended' in entry ? [entry.ended] : []))
  const open = diary.flatMap((entry) => ('began' in entry && !ended.includes(entry.began) ? [entry.began] : []))
  return `It was stopped ${stopped}, with ${ended.length} of ${total} files done${open.length > 0 ? `, in ${open.join(' and ')}` : ''}.`
}

const slowestFileCount = 10

/** Prints each part's result, all failures, the slowest files and, as the last line, `N passed, N failed`. Sets the exit code. */
export function reportResults(parts: Tally[]): void {
  const flaky = parts.flatMap((part) => part.flaky)
  const flakyFaults = findFlakyFaults(flaky)
  addToFlakyList(flaky)
  const passedCount = parts.reduce((sum, part) => sum + part.passed, 0)
  const failedCount = parts.reduce((sum, part) => sum + part.failed, flakyFaults.length)
  // `.ci/run` repeats everything from here on, and counts the lines that begin with `! flaky`.
  console.log('\n── result ──')
  for (const { file, test, why } of flaky)
    console.log(
      [`! flaky: ${file}: ${test}`, 'failed among the others:', ...takeFirstLines(why), 'passed alone'].join('\n    '),
    )
  for (const fault of flakyFaults) console.log(`✗ ${fault}`)
  for (const { name, seconds, passed, failed, skipped, faults } of parts) {
    const rest = skipped > 0 ? `, ${skipped} skipped` : ''
    console.log(
      `${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${rest} (${seconds.toFixed(1)} s)`,
    )
    for (const fault of faults) console.log(`  ${fault}`)
  }
  const files = parts.flatMap((part) => part.files).toSorted((a, b) => b.seconds - a.seconds)
  if (files.length > 0) console.log('the slowest files:')
  for (const { path, seconds } of files.slice(0, slowestFileCount))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${path}`)
  process.exitCode = failedCount > 0 ? 1 : 0
  console.log(`\n${passedCount} passed, ${failedCount} failed`)
}

let stoppedBy: string | undefined

const stopGraceMs = 10_000

async function run(
  name: string,
  command: string,
  args: string[],
  { env, minutes = 2 }: Options,
): Promise<End & { seconds: number }> {
  console.log(`\n── ${name} ──`)
  if (stoppedBy) return { seconds: 0, ok: false, stopped: stoppedBy }
  const startedAt = performance.now()
  // Start the program in a new process group, so that stopping the group also stops any child processes.
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
  })
  let stopped: string | undefined
  const stop = (why: string) => {
    if (stopped) return
    stopped = why
    end(child.pid, 'SIGTERM')
    setTimeout(() => end(child.pid, 'SIGKILL'), stopGraceMs).unref()
  }
  const heed = (signal: NodeJS.Signals) => stop((stoppedBy = `by ${signal}`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, heed)
  const limit = setTimeout(() => stop(`after its ${minutes} minutes`), minutes * 60_000)

  const ok = await new Promise<boolean>((resolve) => {
    child.on('error', (error) => {
      console.log(error.message)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
  })
  clearTimeout(limit)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, heed)
  // Kill a stopped program immediately instead of waiting for it to finish.
  if (stopped) end(child.pid, 'SIGKILL')
  return {
    seconds: (performance.now() - startedAt) / 1000,
    ok: ok && !stopped,
    ...(stopped !== undefined && { stopped }),
  }
}

function end(group: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (group) process.kill(process.platform === 'win32' ? group : -group, signal)
  } catch {
    // Ignore the error: the process group has already ended.
  }
}
