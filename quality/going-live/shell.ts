import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One bash from beginning to end, as an engineer has it: what a command sets, the next one finds. */
export type Shell = {
  /** Types it in and answers what it said. @throws with all it said when one of its commands fails */
  run(code: string, name: string): Promise<string>
  /** The value of a variable, empty where it is not set. */
  valueOf(variable: string): Promise<string>
  close(): void
}

/** Commands are kept in the folder, so that an error's line can be looked up. */
export function openShell(folder: string, env: Record<string, string>): Shell {
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  let heard = (): void => {}
  let isOver = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      heard()
    })
  child.stdin.on('error', () => {})
  child.on('close', () => {
    isOver = true
    heard()
  })
  // A block that fails ends the shell: nothing after it is tried.
  child.stdin.write('set -euo pipefail\n')
  return {
    async run(code, name) {
      const [file, mark] = [join(folder, `${name}.sh`), randomUUID()]
      writeFileSync(file, code)
      said = ''
      child.stdin.write(`source ${file} </dev/null\nprintf '%s\\n' ${mark}\n`)
      await new Promise<void>((resolve) => {
        heard = () => (said.includes(mark) || isOver ? resolve() : undefined)
        heard()
      })
      const [output = '', rest] = said.split(mark)
      if (rest === undefined) throw new Error(`${name} failed:\n${output.trim()}`)
      return output.trim()
    },
    async valueOf(variable) {
      return this.run(`printf '%s' "\${${variable}:-}"\n`, 'value')
    },
    close: () => void child.kill(),
  }
}
