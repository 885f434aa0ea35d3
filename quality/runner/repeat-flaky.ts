/**
 * The program of `npm run test:flaky`: runs each file on the list of flaky tests 20 times, beside two processes that keep the processor
 * busy.
 */
import { spawn } from 'node:child_process'
import { readFlakyList } from './flaky.ts'
import { conclude, type Tally, vitest } from './tally.ts'

const rounds = 20
const busyLoops = 2
const minutes = 10

const listed = readFlakyList()
const files = [...new Map(listed.map(({ file, projects }) => [file, projects]))]
if (files.length === 0) console.log('No test is on the list.')
else conclude(await repeat())

async function repeat(): Promise<Tally[]> {
  const parts: Tally[] = []
  const busy = Array.from({ length: busyLoops }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  try {
    for (const [file, projects] of files)
      for (let round = 1; round <= rounds; round++)
        parts.push(await vitest(`${file}, ${round} of ${rounds}`, projects, { files: [file], minutes }))
    return parts
  } finally {
    for (const each of busy) each.kill()
  }
}
