import type { RemoteServer } from '#operator/send-request.ts'
import type { Terminal } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'

export type Ran = { exit: number; said: string[]; complaints: string[]; questions: string[] }

/**
 * Runs an operator command on the Fantail process that uses this data directory, or on a remote one. `says` is the reply to a prompt; if it
 * is omitted, the command must not prompt.
 */
export async function runCommand(
  dataDir: string,
  args: string[],
  { says, remote }: { says?: boolean; remote?: RemoteServer } = {},
): Promise<Ran> {
  const [said, complaints, questions]: [string[], string[], string[]] = [[], [], []]
  const desk: Terminal = {
    dataDir,
    ...(remote && { remote }),
    print: (text) => void said.push(text),
    printError: (text) => void complaints.push(text),
    async ask(question) {
      questions.push(question)
      if (says === undefined) throw new Error('there is no answer')
      return says
    },
  }
  return { exit: await runOperator(args, desk), said, complaints, questions }
}

/** Runs an operator command with `--json` and returns its response. @throws if Fantail rejects the command */
export async function runCommandForJson(dataDir: string, args: string[]) {
  const { exit, said, complaints } = await runCommand(dataDir, [...args, '--json'])
  if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}: ${complaints.join(' ')}`)
  return JSON.parse(said[0] ?? '')
}

export const aTool = (dataDir: string, remote?: RemoteServer) => ({
  run: (line: string, { at = dataDir, ...rest }: { says?: boolean; at?: string } = {}): Promise<Ran> =>
    runCommand(at, line.split(' '), { ...rest, ...(remote && { remote }) }),
})
