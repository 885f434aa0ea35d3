import { summariseRounds, alternateOrder } from '../load-figures.ts'
import type { ReadSummary } from '../load/compare-reads.ts'
import { startChild } from '../world/child-process.ts'
import type { SimStock } from '../world/sim-stock.ts'
import type { PeerName, RunningSite } from './peer.ts'
import type { SignUpResult, SignUpRequest } from './sign-ups-process.ts'

export type SignUpTarget = RunningSite & ({ name: 'product'; shelf: SimStock } | { name: PeerName })

export type SignUpLoad = { rounds: number; count: number; atOnce: number }

export async function compareSignUps(
  doors: readonly SignUpTarget[],
  { rounds, count, atOnce }: SignUpLoad,
): Promise<Record<string, ReadSummary>> {
  const signUpProcess = startChild<SignUpRequest, SignUpResult>('peers/sign-ups-process.ts')
  const roundsByName = new Map<string, SignUpResult[]>(doors.map(({ name }) => [name, []]))
  try {
    for (const door of doors) await signUpProcess.ask(await createSignUpRequest(door, atOnce, atOnce))
    for (const door of alternateOrder(doors, rounds))
      roundsByName.get(door.name)?.push(await signUpProcess.ask(await createSignUpRequest(door, count, atOnce)))
  } finally {
    await signUpProcess.end()
  }
  return Object.fromEntries([...roundsByName].map(([name, rounds]) => [name, allOf(rounds)]))
}

async function createSignUpRequest(door: SignUpTarget, count: number, atOnce: number): Promise<SignUpRequest> {
  const { site, pid } = door
  if (door.name !== 'product') return { who: { peer: door.name }, site, pid, count, atOnce }
  const packs = await Promise.all(Array.from({ length: count }, () => door.shelf.newSim()))
  return { who: { packs }, site, pid, count, atOnce }
}

function allOf(rounds: readonly SignUpResult[]): ReadSummary {
  const figures = summariseRounds(rounds)
  const processorMs = rounds.reduce<number | null>(
    (sum, { worked }) => (sum === null || worked === null ? null : sum + worked),
    0,
  )
  return { ...figures, processor: processorMs === null ? null : processorMs / figures.calls }
}
