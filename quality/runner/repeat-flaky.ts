/**
 * The program behind `npm run test:flaky`. It runs each file on the list of flaky tests 20 times, while two other processes keep the
 * processor busy.
 */
import { spawn } from 'node:child_process'
import { readFlakyList } from './flaky-tests.ts'
import { reportResults, type Tally, vitest } from './test-tally.ts'

const repeatCount = 20
const busyLoopCount = 2
const maxMinutes = 10

const flakyTests = readFlakyList()
const files = [...new Map(flakyTests.map(({ file, projects }) => [file, projects]))]
if (files.length === 0) console.log('The list of flaky tests is empty.')
else reportResults(await repeatFlakyTests())

async function repeatFlakyTests(): Promise<Tally[]> {
  const parts: Tally[] = []
  const busy = Array.from({ length: busyLoopCount }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    for (const [file, projects] of files)
      for (let round = 1; round <= repeatCount; round++)
        parts.push(
          await vitest(`${file}, ${round} of ${repeatCount}`, projects, { files: [file], minutes: maxMinutes }),
        )
    return parts
  } finally {
    for (const each of busy) each.kill()
  }
}
