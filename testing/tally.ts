import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** How a part of the tests went. A check such as the lint counts as one test. */
export type Tally = { name: string; seconds: number; passed: number; failed: number; skipped: number; faults: string[] }

type Options = { env?: Record<string, string>; minutes?: number }

/** Runs a program that passes or fails as a whole. `node` and what npm installed are found by name. */
export async function check(name: string, command: string, args: string[], options: Options = {}): Promise<Tally> {
  const { seconds, ok } = await run(name, command, args, options)
  return { name, seconds, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, faults: [] }
}

/** Runs projects of vitest.config.ts and counts their tests; a file that cannot be loaded counts as one that failed. */
export async function vitest(name: string, projects: string[], options: Options = {}): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-tests-'))
  const report = join(folder, 'report.json')
  try {
    const chosen = projects.flatMap((project) => ['--project', project])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const { seconds, ok } = await run(name, 'vitest', ['run', ...chosen, ...reporters], options)
    const told = readReport(report)
    return { name, seconds, ...countsOf(told, ok), faults: faultsOf(told) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A part that could not even start. */
export function impossible(name: string, why: string): Tally {
  console.log(`\n── ${name} ──\n${why}`)
  return { name, seconds: 0, passed: 0, failed: 1, skipped: 0, faults: [why] }
}

/** The part of vitest's JSON report that is counted and told. */
export type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; message: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

/** Counts a report; `ok` is what the exit code said, and a fault that no test shows (an unhandled error, say) is one that failed. */
export function countsOf(report: Report | null, ok: boolean): { passed: number; failed: number; skipped: number } {
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const failed = report.numFailedTests + unloaded
  return { passed: report.numPassedTests, failed: failed === 0 && !ok ? 1 : failed, skipped: report.numPendingTests + report.numTodoTests }
}

const linesOfOne = 12

/** What failed and the beginning of why, so that whoever has only the end of a long print has that. */
export function faultsOf(report: Report | null): string[] {
  const told = (name: string, why: string) => [name, ...why.split('\n').slice(0, linesOfOne)].join('\n    ')
  return (report?.testResults ?? []).flatMap(({ name: path, status, message, assertionResults: tests }) => {
    const file = relative(process.cwd(), path)
    if (status === 'failed' && tests.length === 0) return [told(file, message)]
    return tests.filter((test) => test.status === 'failed').map((test) => told(`${file}: ${test.fullName}`, test.failureMessages.join('\n')))
  })
}

/** Prints the parts, what failed in them and, last and alone, the line `N passed, N failed`; sets the exit code. */
export function conclude(parts: Tally[]): void {
  const total = (key: 'passed' | 'failed') => parts.reduce((sum, part) => sum + part[key], 0)
  // `.ci/run` repeats what stands below this line.
  console.log('\n── result ──')
  for (const { name, seconds, passed, failed, skipped, faults } of parts) {
    const rest = skipped > 0 ? `, ${skipped} skipped` : ''
    console.log(`${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${rest} (${seconds.toFixed(1)} s)`)
    for (const fault of faults) console.log(`  ${fault}`)
  }
  process.exitCode = total('failed') > 0 ? 1 : 0
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
}

async function run(name: string, command: string, args: string[], { env, minutes = 10 }: Options): Promise<{ seconds: number; ok: boolean }> {
  console.log(`\n── ${name} ──`)
  const started = performance.now()
  const ok = await new Promise<boolean>((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      timeout: minutes * 60_000,
      shell: process.platform === 'win32',
    })
    child.on('error', (error) => {
      console.log(error.message)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
  })
  return { seconds: (performance.now() - started) / 1000, ok }
}

function readReport(path: string): Report | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return null
  }
}
