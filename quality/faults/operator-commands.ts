import { setTimeout as pause } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { runOperator } from '#operator/operator.ts'
import type { FaultProcess } from './injector.ts'

export type Ran = { exit: number; said: string[]; complaints: string[]; written: string }

export type DeskResponse = { body: any; refused: string | null } // oxlint-disable-line typescript/no-explicit-any

/**
 * Exit codes that leave a command's outcome unknown, because Fantail did not respond or died. Find out what happened before running the
 * command again.
 */
const unknownOutcomeExitCodes = new Set([3, 4])

/** Runs an operator command for one process and confirms its prompts. If the command throws an error, its outcome counts as unknown. */
export async function runOperatorCommand(
  { dataDir }: Pick<FaultProcess, 'dataDir'>,
  args: string[],
  input = '',
): Promise<Ran> {
  const ran: Ran = { exit: 4, said: [], complaints: [], written: '' }
  try {
    ran.exit = await runOperator(args, {
      dataDir,
      user: 'mere',
      print: (line) => ran.said.push(line),
      printError: (line) => ran.complaints.push(line),
      write: async (text) => void (ran.written += text),
      input: Readable.from([input]),
      ask: async () => true,
    })
  } catch (error) {
    ran.complaints.push(String(error))
  }
  return ran
}

export async function tryOperatorCommand(processes: readonly FaultProcess[], args: string[]): Promise<boolean> {
  const at = processes.find((each) => each.pid() !== null)
  return at !== undefined && (await runOperatorCommand(at, args)).exit === 0
}

export async function retryCommand(
  processes: readonly FaultProcess[],
  args: string[],
  signal: AbortSignal,
): Promise<DeskResponse> {
  for (let turn = 0; ; turn++) {
    signal.throwIfAborted()
    const process = processes[turn % processes.length]
    const { exit, said, complaints } = await runOperatorCommand(process ?? { dataDir: '' }, [...args, '--json'])
    if (exit === 0) return { body: JSON.parse(said[0] ?? 'null'), refused: null }
    if (!unknownOutcomeExitCodes.has(exit)) return { body: null, refused: complaints.join(' ') }
    await pause(500)
  }
}
