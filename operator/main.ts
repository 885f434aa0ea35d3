import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { runOperator } from './operator.ts'

/** Yes is `y` or `yes`; an end of input is a no. */
async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), ended])).trim())
  } finally {
    lines.close()
  }
}

/** A container may run as a user without a name. */
function userOfSystem(): { user?: string } {
  try {
    return { user: userInfo().username }
  } catch {
    return {}
  }
}

process.exitCode = await runOperator(process.argv.slice(2), {
  dataDir: process.env['DATA_DIR'] || '.data',
  ...userOfSystem(),
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
  ask,
})
