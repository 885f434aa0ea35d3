import { type LoadFigures, summariseRounds, type Round, alternateOrder } from '../load-figures.ts'
import { readCpuMs } from '../world/cpu-time.ts'
import type { Child } from '../world/child-process.ts'
import type { Call, Load } from './run-load.ts'

export type LoadProcess = Child<Load, Round>

export type ReadTarget = { name: string; port: number; pid: number | null; calls: readonly Call[] }

/** `processor` is the processor time per request in milliseconds, which does not include waiting for other programs on the machine. */
export type ReadSummary = LoadFigures & { processor: number | null }

export type Pace = { connections: number; warmUpMs: number; rounds: number; roundMs: number }

export async function compareReads(
  load: LoadProcess,
  subjects: readonly ReadTarget[],
  { connections, warmUpMs, rounds, roundMs }: Pace,
): Promise<Record<string, ReadSummary>> {
  const roundsByName = new Map(
    subjects.map(({ name }) => [name, { rounds: [] as Round[], worked: 0 as number | null }]),
  )
  for (const { port, calls } of subjects) await load.ask({ port, calls, connections, ms: warmUpMs })
  for (const { name, port, pid, calls } of alternateOrder(subjects, rounds)) {
    const startProcessorMs = readCpuMs(pid)
    const round = await load.ask({ port, calls, connections, ms: roundMs })
    const [after, of] = [readCpuMs(pid), roundsByName.get(name)]
    of?.rounds.push(round)
    if (of)
      of.worked =
        startProcessorMs === null || after === null || of.worked === null ? null : of.worked + after - startProcessorMs
  }
  return Object.fromEntries(
    [...roundsByName].map(([name, { rounds, worked }]) => {
      const figures = summariseRounds(rounds)
      return [name, { ...figures, processor: worked === null ? null : worked / figures.calls }]
    }),
  )
}
