import type { Desk } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'

/** What a command came to. */
export type Ran = { exit: number; said: string[]; complaints: string[]; questions: string[] }

/** Runs a command on the product of this data directory. The answer to a question is `says`; without it none may be asked. */
export async function runCommand(dataDir: string, args: string[], { says }: { says?: boolean } = {}): Promise<Ran> {
  const [said, complaints, questions]: [string[], string[], string[]] = [[], [], []]
  const desk: Desk = {
    dataDir,
    say: (text) => said.push(text),
    complain: (text) => complaints.push(text),
    async ask(question) {
      questions.push(question)
      if (says === undefined) throw new Error('there is no answer')
      return says
    },
  }
  return { exit: await runOperator(args, desk), said, complaints, questions }
}

/** The same with `--json`: what was answered. @throws when it was refused */
export async function askCommand(dataDir: string, args: string[]) {
  const { exit, said, complaints } = await runCommand(dataDir, [...args, '--json'])
  if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}: ${complaints.join(' ')}`)
  return JSON.parse(said[0] ?? '')
}
