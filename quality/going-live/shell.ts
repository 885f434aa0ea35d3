import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A single bash session, like an engineer's own: variables stay set for later commands. */
export type Shell = {
  /** Runs commands and returns their output. @throws an error with the complete output if a command fails */
  run(code: string, name: string): Promise<string>
  /** Returns a variable's value; empty if the variable is not set. */
  valueOf(variable: string): Promise<string>
  close(): void
}

/** Starts a shell. Its commands are kept in the folder, so that the line number in an error message can be looked up. */
export function startShell(folder: string, env: Record<string, string>): Shell {
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
  // If a block fails, the shell exits, so later blocks do not run.
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
