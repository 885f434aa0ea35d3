import { figuresOf, turnsOf } from '../figures.ts'
import type { ReadFigures } from '../load/rounds.ts'
import { startChild } from '../world/child.ts'
import type { Shelf } from '../world/shelf.ts'
import type { PeerName, Standing } from './peer.ts'
import type { SignUpRound, SignUpWish } from './sign-ups-process.ts'

export type Door = Standing & ({ name: 'product'; shelf: Shelf } | { name: PeerName })

export type SignUpPace = { rounds: number; count: number; atOnce: number }

export async function compareSignUps(
  doors: readonly Door[],
  { rounds, count, atOnce }: SignUpPace,
): Promise<Record<string, ReadFigures>> {
  const people = startChild<SignUpWish, SignUpRound>('peers/sign-ups-process.ts')
  const played = new Map<string, SignUpRound[]>(doors.map(({ name }) => [name, []]))
  try {
    for (const door of doors) await people.ask(await wishOf(door, atOnce, atOnce))
    for (const door of turnsOf(doors, rounds))
      played.get(door.name)?.push(await people.ask(await wishOf(door, count, atOnce)))
  } finally {
    await people.end()
  }
  return Object.fromEntries([...played].map(([name, rounds]) => [name, allOf(rounds)]))
}

async function wishOf(door: Door, count: number, atOnce: number): Promise<SignUpWish> {
  const { site, pid } = door
  if (door.name !== 'product') return { who: { peer: door.name }, site, pid, count, atOnce }
  const packs = await Promise.all(Array.from({ length: count }, () => door.shelf.newSim()))
  return { who: { packs }, site, pid, count, atOnce }
}

function allOf(rounds: readonly SignUpRound[]): ReadFigures {
  const figures = figuresOf(rounds)
  const worked = rounds.reduce<number | null>(
    (sum, { worked }) => (sum === null || worked === null ? null : sum + worked),
    0,
  )
  return { ...figures, processor: worked === null ? null : worked / figures.calls }
}
