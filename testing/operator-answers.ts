import type { Desk } from '#operator/command.ts'
import { runOperator } from '#operator/operator.ts'

export type Ran = { exit: number; said: string[]; complaints: string[]; questions: string[] }

/** Gives commands to the product on a data directory. The answer to a question is `says`, which must be given where one is asked. */
export const operatorOf =
  (dataDir: string) =>
  async (line: string, { says }: { says?: boolean } = {}): Promise<Ran> => {
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
    return { exit: await runOperator(line.split(' '), desk), said, complaints, questions }
  }
