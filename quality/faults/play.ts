import { setTimeout as pause } from 'node:timers/promises'
import { roomOf, type Where, type Wish } from './arguments.ts'
import { conduct, possible, type Score } from './conductor.ts'
import type { FaultDatabase } from './injector.ts'
import { injectors } from './injectors/all.ts'
import type { Diary } from './life.ts'
import { live } from './lives.ts'
import { tallyOfLines } from './log-lines.ts'
import { type MemoryWatch, watchMemory } from './memory-watch.ts'
import { newFigures } from './patience.ts'
import { randomOf } from './random.ts'
import { reckon, type Reckoning } from './reckon.ts'
import { megabytesOf } from './rss.ts'
import { settle } from './settle.ts'
import { passTime } from './time.ts'
import { type LivedWorld, startLivedWorld } from './world.ts'

export type Outcome = {
  where: Where
  seed: number
  reckoning: Reckoning
  score: Score
  diary: Diary
  /** The seconds until nothing was under way after the last fault, or what still was. */
  settled: { seconds: number } | { open: Record<string, number> }
  lines: ReturnType<typeof tallyOfLines>
  lives: { name: string; lives: number }[]
  minutes: Minute[]
  recoveries: LivedWorld['recoveries']
  complaints: string[]
  memory: MemoryWatch
}

export type Minute = { minute: number; begun: number; open: number; megabytes: (number | null)[]; refusals: number }

const atATime = 8
/** Minutes between the passing of days in a run that is not limited by its orders. */
const actMinutes = 5
const hoursThatPass = 24 * 8
/** Milliseconds for which things go wrong while days pass, every other time. */
const foulMs = 60_000

type Manner = {
  longestSeconds: number
  /** Customers come until each fault has had its turn, up to twice the requested number of orders. */
  isShort: boolean
  say(line: string): void
  stopped: AbortSignal
}

export async function play(wish: Wish, where: Where, database: FaultDatabase | null, manner: Manner): Promise<Outcome> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, manner.stopped])
  const began = performance.now()
  const log = (event: string): void =>
    manner.say(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${event}`)
  const processes = where === 'embedded' ? 1 : wish.processes
  const most = manner.isShort ? wish.orders * 2 : wish.orders
  const world = await startLivedWorld({ database, processes, orders: most, signal, log })
  const figures = newFigures(() => (world.now.active ? ` during ${world.now.active}` : ''))
  const diary: Diary = { promised: [], figures, begun: 0, most, open: new Map(), puzzles: [] }
  const clerk = keepMinutes(world, diary, manner.say)
  const memory = watchMemory(world.processes, () => world.now.active)
  try {
    const score = await playActs(world, diary, wish, { where, processes, ...manner })
    signal.throwIfAborted()
    const settled = await settle(world)
    log(
      'open' in settled ? `NOT settled: ${JSON.stringify(settled.open)}` : `settled in ${settled.seconds.toFixed(1)} s`,
    )
    clerk.stop()
    memory.look()
    memory.stop()
    const lives = world.processes.map((each) => ({ name: each.name, lives: each.lives() }))
    for (const each of world.processes) await each.end()
    const lines = tallyOfLines(world.processes.flatMap((each) => each.lines()))
    const used = injectors.filter(({ name }) => score.get(name)?.phases)
    const reckoning = await reckon(
      world,
      diary,
      used.flatMap(({ warrants = [] }) => warrants),
    )
    const { recoveries, complaints } = world
    return {
      where,
      seed: wish.seed,
      reckoning,
      score,
      diary,
      settled,
      lines,
      lives,
      minutes: clerk.minutes,
      recoveries,
      complaints,
      memory,
    }
  } finally {
    clerk.stop()
    memory.stop()
    over.abort()
    await world.close()
  }
}

async function playActs(
  world: LivedWorld,
  diary: Diary,
  wish: Wish,
  { where, processes, longestSeconds, isShort }: Manner & { where: Where; processes: number },
): Promise<Score> {
  const random = randomOf(wish.seed).branch(where)
  const chosen = possible(injectors, wish.only, roomOf(where, processes))
  const names = chosen.map(({ name }) => name).join(', ') || 'nothing goes wrong'
  world.log(`${where}: ${processes} process(es), seed ${wish.seed}, ${names}`)
  const end = performance.now() + wish.minutes * 60_000
  const score: Score = new Map()
  for (let act = 1; diary.begun < diary.most && performance.now() < end && !world.signal.aborted; act++) {
    const actEnd = Math.min(end, performance.now() + actMinutes * 60_000)
    let isOver = false
    const conducting = conduct(world, diary, random.branch(`faults ${act}`), {
      injectors: chosen,
      isOver: () => isOver,
      longestSeconds,
      isShort,
      onRound() {
        if (isShort) diary.most = Math.max(wish.orders, diary.begun)
      },
    })
    world.now.isLivedIn = true
    await live(world, diary, random.branch(`lives ${act}`), { atATime, until: () => performance.now() > actEnd })
    world.now.isLivedIn = false
    const isFoul = act % 2 === 0
    world.log(`days pass${isFoul ? ' while things go wrong' : ''}`)
    const passing = isFoul ? passTime(world, hoursThatPass) : null
    await Promise.race([passing, pause(isFoul ? foulMs : 0)])
    isOver = true
    addUp(score, await conducting)
    await (passing ?? passTime(world, hoursThatPass))
  }
  return score
}

function addUp(sum: Score, more: Score): void {
  for (const [name, { phases, settled, unsettled }] of more) {
    const before = sum.get(name) ?? { phases: 0, settled: [], unsettled: [] }
    sum.set(name, {
      phases: before.phases + phases,
      settled: [...before.settled, ...settled],
      unsettled: [...before.unsettled, ...unsettled],
    })
  }
}

function keepMinutes(world: LivedWorld, diary: Diary, say: (line: string) => void) {
  const minutes: Minute[] = []
  const stopping = new AbortController()
  async function keep(): Promise<void> {
    for (let minute = 1; ; minute++) {
      await pause(60_000, undefined, { signal: stopping.signal })
      const megabytes = world.processes.map((each) => megabytesOf(each.pid()))
      const refusals = [...diary.figures.refusals.values()].reduce((sum, count) => sum + count, 0)
      const now = { minute, begun: diary.begun, open: diary.open.size, megabytes, refusals }
      minutes.push(now)
      const memory = megabytes.map((each) => (each === null ? 'down' : `${each.toFixed(0)} MB`)).join(', ')
      say(`minute ${minute}: ${now.begun} orders, ${now.open} open, ${memory}, ${now.refusals} refused`)
    }
  }
  keep().catch(() => {})
  return { minutes, stop: () => stopping.abort() }
}
