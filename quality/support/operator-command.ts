import type { Readable } from 'node:stream'
import type { Terminal } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'

export type OperatorCommandResult = { exit: number; said: string[]; complaints: string[]; written: string }

/**
 * Runs an operator command on a Fantail data directory, in the same way as the command line tool. If the command prompts for input, it
 * fails.
 */
export async function runCommand(dataDir: string, args: string[], input?: Readable): Promise<OperatorCommandResult> {
  const [said, complaints]: [string[], string[]] = [[], []]
  let written = ''
  const desk: Terminal = {
    dataDir,
    user: 'mere',
    print: (line) => said.push(line),
    printError: (line) => complaints.push(line),
    write: async (text) => void (written += text),
    ...(input && { input }),
    ask: async (question) => {
      throw new Error(`it asked: ${question}`)
    },
  }
  const exit = await runOperator(args, desk)
  return { exit, said, complaints, written }
}
