import { setTimeout as pause } from 'node:timers/promises'
import type { Injector, Need, ActiveFault } from './injector.ts'
import type { RunRecords } from './simulated-customer.ts'
import type { Random } from './random.ts'
import { maxSettleSeconds } from './wait-until-settled.ts'
import type { FaultTestWorld } from './fault-world.ts'

/**
 * The results for one injector: how many faults it caused, and how many seconds each took to settle, meaning that everything still open
 * when the fault ended has finished.
 */
export type InjectorResult = { phases: number; settled: number[]; unsettled: string[] }
export type InjectorResults = Map<string, InjectorResult>

export const selectInjectors = (all: readonly Injector[], only: readonly string[], room: readonly Need[]): Injector[] =>
  all.filter(
    ({ name, needs }) => (only.length === 0 || only.includes(name)) && needs.every((need) => room.includes(need)),
  )

export async function injectFaults(
  world: FaultTestWorld,
  diary: RunRecords,
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
    /** Whether the run is short. In a short run, two faults are always active at the same time. */
    isShort: boolean
    onRound?: () => void
  },
): Promise<InjectorResults> {
  const score: InjectorResults = new Map(injectors.map(({ name }) => [name, { phases: 0, settled: [], unsettled: [] }]))
  // Use every injector once before using any of them again.
  let hat: Injector[] = []
  const draw = (): Injector | undefined => {
    if (hat.length === 0) hat = shuffleItems(injectors, random)
    return hat.pop()
  }
  for (let turn = 0; !isOver() && !world.signal.aborted && injectors.length > 0; turn++) {
    const drawn = [draw(), ...(injectors.length > 1 && (isShort || random.chance(0.4)) ? [draw()] : [])]
    const chosenInjectors = [...new Set(drawn.filter((each) => each !== undefined))]
    const seconds = Math.min(longestSeconds, ...chosenInjectors.map(({ lasts }) => lasts)) * (0.5 + random.next() / 2)
    const name = chosenInjectors.map((each) => each.name).join(' and ')
    const hadOpenWork = diary.open.size > 0
    world.now.active = name
    const activeFaults: ActiveFault[] = []
    for (const each of chosenInjectors)
      activeFaults.push(await each.start(world, random.branch(`${turn} ${each.name}`)))
    for (
      const end = performance.now() + seconds * 1_000;
      performance.now() < end && !isOver() && !world.signal.aborted;
    )
      await pause(100)
    for (const each of activeFaults.toReversed()) await each.stop()
    const waitResult = await waitUntilActionsEnd(diary, new Set(diary.open.keys()), world.signal)
    world.now.active = ''
    for (const each of chosenInjectors) {
      const record = score.get(each.name)
      if (!record) continue
      record.phases += 1
      // If no customers are waiting, there is nothing to measure.
      if (typeof waitResult === 'number' && hadOpenWork) record.settled.push(waitResult)
      else if (typeof waitResult !== 'number') record.unsettled.push(`after ${name}: ${waitResult.join(', ')}`)
    }
    if (hat.length === 0) onRound()
    world.log(
      `${name}: over, ` +
        `${typeof waitResult === 'number' ? `settled in ${waitResult.toFixed(1)} s` : `NOT settled: ${waitResult.join(', ')}`}`,
    )
  }
  return score
}

/**
 * Waits until customers know the outcome of the given orders. Returns how many seconds that took, or which orders still had no outcome when
 * time ran out.
 */
async function waitUntilActionsEnd(
  diary: RunRecords,
  names: Set<string>,
  signal: AbortSignal,
): Promise<number | string[]> {
  const began = performance.now()
  const startByOpenAction = new Map([...names].map((name) => [name, diary.open.get(name)]))
  for (;;) {
    const left = [...startByOpenAction].filter(([name, since]) => diary.open.get(name) === since && since !== undefined)
    const seconds = (performance.now() - began) / 1_000
    if (left.length === 0 || signal.aborted) return seconds
    if (seconds > maxSettleSeconds) return left.map(([name]) => name)
    await pause(100)
  }
}

function shuffleItems<T>(from: readonly T[], random: Random): T[] {
  const left = [...from]
  return Array.from({ length: left.length }, () => left.splice(random.between(0, left.length - 1), 1)[0] as T)
}
