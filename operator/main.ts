import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { RemoteServer } from './send-request.ts'
import { runOperator } from './operator.ts'

/** Asks the operator for confirmation. If the input ends, that counts as a no. */
async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), ended])).trim())
  } finally {
    lines.close()
  }
}

/** Returns the system user's name if there is one: a container may run as a user without a name. */
function readSystemUser(): { user?: string } {
  try {
    return { user: userInfo().username }
  } catch {
    return {}
  }
}

function readRemoteServer({ OPERATOR_URL: url, OPERATOR_TOKEN: token = '', OPERATOR_CA: file }: NodeJS.ProcessEnv): {
  remote?: RemoteServer
} {
  if (!url) return {}
  if (!url.startsWith('https://')) throw new Error('OPERATOR_URL must start with https://.')
  return { remote: { url, token, ...(file && { ca: readFileSync(file, 'utf8') }) } }
}

process.exitCode = await runOperator(process.argv.slice(2), {
  dataDir: process.env['DATA_DIR'] || '.data',
  ...readSystemUser(),
  ...readRemoteServer(process.env),
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  write: (text) =>
    new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve()))),
  input: process.stdin,
  ask,
  environment: process.env,
})
