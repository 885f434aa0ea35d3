import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { runOperator } from '#operator/operator.ts'
import type { FaultProcess } from './injector.ts'

/** What a command of the operator's came to. */
export type Ran = { exit: number; said: string[]; complaints: string[]; written: string }

/** What was answered in JSON, or why it was refused. */
export type DeskAnswer = { body: any; refused: string | null } // oxlint-disable-line typescript/no-explicit-any

/** The product did not answer, or died over it: what has become of it is to be looked at before it is done again. */
const unsure = new Set([3, 4])

/** Runs a command at the desk of one process; it confirms what is asked. A tool that dies is as one that was not answered. */
export async function commandAt({ dataDir }: Pick<FaultProcess, 'dataDir'>, args: string[], input = ''): Promise<Ran> {
  const ran: Ran = { exit: 4, said: [], complaints: [], written: '' }
  try {
    ran.exit = await runOperator(args, {
      dataDir,
      user: 'mere',
      say: (line) => ran.said.push(line),
      complain: (line) => ran.complaints.push(line),
      write: async (text) => void (ran.written += text),
      input: Readable.from([input]),
      ask: async () => true,
    })
  } catch (error) {
    ran.complaints.push(String(error))
  }
  return ran
}

/** Has something done once: whether it was done, where the product died over it, is not asked. */
export async function tryDesk(processes: readonly FaultProcess[], args: string[]): Promise<boolean> {
  const at = processes.find((each) => each.pid() !== null)
  return at !== undefined && (await commandAt(at, args)).exit === 0
}

/** Asks a question of the first process that answers, again until one does. */
export async function askDesk(
  processes: readonly FaultProcess[],
  args: string[],
  signal: AbortSignal,
): Promise<DeskAnswer> {
  for (let turn = 0; ; turn++) {
    signal.throwIfAborted()
    const process = processes[turn % processes.length]
    const { exit, said, complaints } = await commandAt(process ?? { dataDir: '' }, [...args, '--json'])
    if (exit === 0) return { body: JSON.parse(said[0] ?? 'null'), refused: null }
    if (!unsure.has(exit)) return { body: null, refused: complaints.join(' ') }
    await pause(500)
  }
}
