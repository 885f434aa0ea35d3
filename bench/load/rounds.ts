import { type Figures, figuresOf, type Round, turnsOf } from '../figures.ts'
import type { Child } from '../world/child.ts'
import type { Call, Load } from './play.ts'

export type LoadProcess = Child<Load, Round>

/** Who is read from, and what. */
export type Subject = { name: string; port: number; calls: readonly Call[] }

export type Pace = { connections: number; warmUpMs: number; rounds: number; roundMs: number }

/** Reads from all of them in turns, once each has been warmed up; by name what came of it. */
export async function compareReads(
  load: LoadProcess,
  subjects: readonly Subject[],
  { connections, warmUpMs, rounds, roundMs }: Pace,
): Promise<Record<string, Figures>> {
  const played = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
  for (const { port, calls } of subjects) await load.ask({ port, calls, connections, ms: warmUpMs })
  for (const { name, port, calls } of turnsOf(subjects, rounds))
    played.get(name)?.push(await load.ask({ port, calls, connections, ms: roundMs }))
  return Object.fromEntries([...played].map(([name, of]) => [name, figuresOf(of)]))
}
