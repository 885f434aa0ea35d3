import type { Remote } from '#operator/call.ts'
import type { Desk } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'

type Ran = { exit: number; said: string[]; complaints: string[]; questions: string[] }

/** The provider's own tool, as somebody uses it beside the product on a data directory, or on another host. */
export function aTool(dataDir: string, remote?: Remote) {
  /** Runs a command; the answer to a question is `says`, which may not be asked for when it is not given. */
  async function run(line: string, { says, at = dataDir }: { says?: boolean; at?: string } = {}): Promise<Ran> {
    const [said, complaints, questions]: [string[], string[], string[]] = [[], [], []]
    const desk: Desk = {
      dataDir: at,
      ...(remote && { remote }),
      say: (text) => void said.push(text),
      complain: (text) => void complaints.push(text),
      async ask(question) {
        questions.push(question)
        if (says === undefined) throw new Error('there is no answer')
        return says
      },
    }
    return { exit: await runOperator(line.split(' '), desk), said, complaints, questions }
  }
  return { run }
}
