import { setTimeout as pause } from 'node:timers/promises'
import { listCapabilities, type Where, type FaultRunOptions } from './arguments.ts'
import { injectFaults, selectInjectors, type InjectorResults } from './inject-faults.ts'
import type { FaultDatabase } from './injector.ts'
import { injectors } from './injectors/all-injectors.ts'
import type { RunRecords } from './simulated-customer.ts'
import { live } from './simulate-customers.ts'
import { countLogLines } from './log-lines.ts'
import { type MemoryWatch, trackPeakMemory } from './memory-watch.ts'
import { createRequestStatistics } from './retrying-visitor.ts'
import { createRandom } from './random.ts'
import { auditRun, type AuditResult } from './audit-run.ts'
import { readMemoryMegabytes } from './process-memory.ts'
import { waitUntilSettled } from './wait-until-settled.ts'
import { advanceTime } from './advance-time.ts'
import { type FaultTestWorld, startRunningWorld } from './fault-world.ts'

export type FaultRunResult = {
  where: Where
  seed: number
  audit: AuditResult
  score: InjectorResults
  records: RunRecords
  /** The seconds from the last fault until no work was in progress or, if time ran out, the work that was still open. */
  settled: { seconds: number } | { open: Record<string, number> }
  lines: ReturnType<typeof countLogLines>
  lives: { name: string; lives: number }[]
  minutes: MinuteRecord[]
  recoveries: FaultTestWorld['recoveries']
  complaints: string[]
  memory: MemoryWatch
}

export type MinuteRecord = {
  minute: number
  begun: number
  open: number
  megabytes: (number | null)[]
  refusals: number
}

const concurrentCustomers = 8
/** The number of minutes after which a long run moves the clock forward by several days. */
const roundMinutes = 5
const hoursPerRound = 24 * 8
/** How long faults continue while the clock moves forward, in milliseconds. During every second clock move, there are no faults. */
const faultsWhileAdvancingMs = 60_000

type RunSettings = {
  longestSeconds: number
  /** In a short run, customers keep arriving until every fault has occurred, up to twice the requested number of orders. */
  isShort: boolean
  say(line: string): void
  stopped: AbortSignal
}

export async function play(
  wish: FaultRunOptions,
  where: Where,
  database: FaultDatabase | null,
  manner: RunSettings,
): Promise<FaultRunResult> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, manner.stopped])
  const began = performance.now()
  const log = (event: string): void =>
    manner.say(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${event}`)
  const processes = where === 'embedded' ? 1 : wish.processes
  const most = manner.isShort ? wish.orders * 2 : wish.orders
  const world = await startRunningWorld({ database, processes, orders: most, signal, log })
  const figures = createRequestStatistics(() => (world.now.active ? ` during ${world.now.active}` : ''))
  const records: RunRecords = { promised: [], figures, begun: 0, most, open: new Map(), puzzles: [] }
  const minuteRecorder = recordMinutes(world, records, manner.say)
  const memory = trackPeakMemory(world.processes, () => world.now.active)
  try {
    const score = await runRounds(world, records, wish, { where, processes, ...manner })
    signal.throwIfAborted()
    const waitResult = await waitUntilSettled(world)
    log(
      'open' in waitResult
        ? `NOT settled: ${JSON.stringify(waitResult.open)}`
        : `settled in ${waitResult.seconds.toFixed(1)} s`,
    )
    minuteRecorder.stop()
    memory.look()
    memory.stop()
    const lives = world.processes.map((each) => ({ name: each.name, lives: each.starts() }))
    for (const each of world.processes) await each.end()
    const lines = countLogLines(world.processes.flatMap((each) => each.lines()))
    const used = injectors.filter(({ name }) => score.get(name)?.phases)
    const warrants = used.flatMap((injector) => injector.warrants ?? [])
    const audit = await auditRun(world, records, warrants)
    const { recoveries, complaints } = world
    return {
      where,
      seed: wish.seed,
      audit,
      score,
      records,
      settled: waitResult,
      lines,
      lives,
      minutes: minuteRecorder.minutes,
      recoveries,
      complaints,
      memory,
    }
  } finally {
    minuteRecorder.stop()
    memory.stop()
    over.abort()
    await world.close()
  }
}

async function runRounds(
  world: FaultTestWorld,
  records: RunRecords,
  wish: FaultRunOptions,
  { where, processes, longestSeconds, isShort }: RunSettings & { where: Where; processes: number },
): Promise<InjectorResults> {
  const random = createRandom(wish.seed).branch(where)
  const selectedInjectors = selectInjectors(injectors, wish.only, listCapabilities(where, processes))
  const names = selectedInjectors.map(({ name }) => name).join(', ') || 'nothing goes wrong'
  world.log(`${where}: ${processes} process(es), seed ${wish.seed}, ${names}`)
  const end = performance.now() + wish.minutes * 60_000
  const score: InjectorResults = new Map()
  for (let act = 1; records.begun < records.most && performance.now() < end && !world.signal.aborted; act++) {
    const roundDeadline = Math.min(end, performance.now() + roundMinutes * 60_000)
    let isOver = false
    const injectionPromise = injectFaults(world, records, random.branch(`faults ${act}`), {
      injectors: selectedInjectors,
      isOver: () => isOver,
      longestSeconds,
      isShort,
      onRound() {
        if (isShort) records.most = Math.max(wish.orders, records.begun)
      },
    })
    world.now.isLivedIn = true
    await live(world, records, random.branch(`lives ${act}`), {
      atATime: concurrentCustomers,
      until: () => performance.now() > roundDeadline,
    })
    world.now.isLivedIn = false
    const hasFaults = act % 2 === 0
    world.log(`days pass${hasFaults ? ' while things go wrong' : ''}`)
    const advancePromise = hasFaults ? advanceTime(world, hoursPerRound) : null
    await Promise.race([advancePromise, pause(hasFaults ? faultsWhileAdvancingMs : 0)])
    isOver = true
    addUp(score, await injectionPromise)
    await (advancePromise ?? advanceTime(world, hoursPerRound))
  }
  return score
}

function addUp(sum: InjectorResults, more: InjectorResults): void {
  for (const [name, { phases, settled, unsettled }] of more) {
    const previousTotals = sum.get(name) ?? { phases: 0, settled: [], unsettled: [] }
    sum.set(name, {
      phases: previousTotals.phases + phases,
      settled: [...previousTotals.settled, ...settled],
      unsettled: [...previousTotals.unsettled, ...unsettled],
    })
  }
}

function recordMinutes(world: FaultTestWorld, records: RunRecords, say: (line: string) => void) {
  const minutes: MinuteRecord[] = []
  const abortController = new AbortController()
  async function keep(): Promise<void> {
    for (let minute = 1; ; minute++) {
      await pause(60_000, undefined, { signal: abortController.signal })
      const megabytes = world.processes.map((each) => readMemoryMegabytes(each.pid()))
      const refusals = [...records.figures.refusals.values()].reduce((sum, count) => sum + count, 0)
      const now = { minute, begun: records.begun, open: records.open.size, megabytes, refusals }
      minutes.push(now)
      const memory = megabytes.map((each) => (each === null ? 'down' : `${each.toFixed(0)} MB`)).join(', ')
      say(`minute ${minute}: ${now.begun} orders, ${now.open} open, ${memory}, ${now.refusals} refused`)
    }
  }
  keep().catch(() => {})
  return { minutes, stop: () => abortController.abort() }
}
