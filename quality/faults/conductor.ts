import { setTimeout as pause } from 'node:timers/promises'
import type { Injector, Need, Running } from './injector.ts'
import type { Diary } from './life.ts'
import type { Random } from './random.ts'
import { settleSeconds } from './settle.ts'
import type { LivedWorld } from './world.ts'

/** The result of one injector: its phases, and the seconds from the end of each until everything that was open then had ended. */
export type Turns = { phases: number; settled: number[]; unsettled: string[] }
export type Score = Map<string, Turns>

export const possible = (all: readonly Injector[], only: readonly string[], room: readonly Need[]): Injector[] =>
  all.filter(
    ({ name, needs }) => (only.length === 0 || only.includes(name)) && needs.every((need) => room.includes(need)),
  )

export async function conduct(
  world: LivedWorld,
  diary: Diary,
  random: Random,
  {
    injectors,
    isOver,
    longestSeconds,
    isShort,
    onRound = () => {},
  }: {
    injectors: readonly Injector[]
    isOver: () => boolean
    longestSeconds: number
    /** Two faults are always active at a time. */
    isShort: boolean
    onRound?: () => void
  },
): Promise<Score> {
  const score: Score = new Map(injectors.map(({ name }) => [name, { phases: 0, settled: [], unsettled: [] }]))
  // Each injector has its turn before any has another.
  let hat: Injector[] = []
  const draw = (): Injector | undefined => {
    if (hat.length === 0) hat = shuffled(injectors, random)
    return hat.pop()
  }
  for (let turn = 0; !isOver() && !world.signal.aborted && injectors.length > 0; turn++) {
    const drawn = [draw(), ...(injectors.length > 1 && (isShort || random.chance(0.4)) ? [draw()] : [])]
    const chosen = [...new Set(drawn.filter((each) => each !== undefined))]
    const seconds = Math.min(longestSeconds, ...chosen.map(({ lasts }) => lasts)) * (0.5 + random.next() / 2)
    const name = chosen.map((each) => each.name).join(' and ')
    const isLivedIn = diary.open.size > 0
    world.now.active = name
    const running: Running[] = []
    for (const each of chosen) running.push(await each.start(world, random.branch(`${turn} ${each.name}`)))
    for (
      const end = performance.now() + seconds * 1_000;
      performance.now() < end && !isOver() && !world.signal.aborted;
    )
      await pause(100)
    for (const each of running.toReversed()) await each.stop()
    const settled = await untilOver(diary, new Set(diary.open.keys()), world.signal)
    world.now.active = ''
    for (const each of chosen) {
      const record = score.get(each.name)
      if (!record) continue
      record.phases += 1
      // Without waiting customers there is nothing to measure.
      if (typeof settled === 'number' && isLivedIn) record.settled.push(settled)
      else if (typeof settled !== 'number') record.unsettled.push(`after ${name}: ${settled.join(', ')}`)
    }
    if (hat.length === 0) onRound()
    world.log(
      `${name}: over, ${typeof settled === 'number' ? `settled in ${settled.toFixed(1)} s` : `NOT settled: ${settled.join(', ')}`}`,
    )
  }
  return score
}

/** Waits until customers know the outcome of these orders. Returns the seconds, or the orders without an outcome in time. */
async function untilOver(diary: Diary, names: Set<string>, signal: AbortSignal): Promise<number | string[]> {
  const began = performance.now()
  const before = new Map([...names].map((name) => [name, diary.open.get(name)]))
  for (;;) {
    const left = [...before].filter(([name, since]) => diary.open.get(name) === since && since !== undefined)
    const seconds = (performance.now() - began) / 1_000
    if (left.length === 0 || signal.aborted) return seconds
    if (seconds > settleSeconds) return left.map(([name]) => name)
    await pause(100)
  }
}

function shuffled<T>(from: readonly T[], random: Random): T[] {
  const left = [...from]
  return Array.from({ length: left.length }, () => left.splice(random.between(0, left.length - 1), 1)[0] as T)
}
