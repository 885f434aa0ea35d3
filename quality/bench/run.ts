/**
 * The program behind `npm run bench`. It measures how fast Fantail is, and shows each figure next to a reference value from the same run.
 * There are no limits: it fails only if a measurement cannot be made. docs/performance.md explains the figures.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { type Part, readBenchOptions, usage, type BenchOptions } from './arguments.ts'
import { measureActions } from './activations/measure-actions.ts'
import { formatActionResults } from './activations/report-actions.ts'
import { measureClicks } from './clicks/measure-clicks.ts'
import { formatClickFigures } from './clicks/report-clicks.ts'
import { dayProviderDelayMs, measureDayLoad } from './day/measure-day.ts'
import { formatDayResult } from './day/report-day.ts'
import { measureDeskRequests } from './desk/measure-desk.ts'
import { formatDeskResult } from './desk/report-desk.ts'
import { measureNightlyWork } from './night/measure-night.ts'
import { formatNightResults } from './night/report-night.ts'
import { measureScale } from './scale/measure-scale.ts'
import { formatScaleResult } from './scale/report-scale.ts'
import { measurePeers } from './peers/measure-peers.ts'
import { formatPeersResult } from './peers/report-peers.ts'
import { measureReads } from './server/measure-reads.ts'
import { formatReadResults } from './server/report-reads.ts'
import { measureStart } from './start/measure-start.ts'
import { formatStartResult } from './start/report-start.ts'
import { type BenchWorld, startBenchWorld } from './world/world.ts'

const paces = {
  short: { connections: 16, warmUpMs: 300, rounds: 2, roundMs: 400 },
  full: { connections: 16, warmUpMs: 2_000, rounds: 6, roundMs: 3_000 },
}

const visitorLoads = {
  short: { visitors: [8], seconds: 2 },
  full: { visitors: [8, 24], seconds: 30 },
}

const startMeasurements = {
  short: { times: 1, loadMs: 1_000, idleMs: 2_000 },
  full: { times: 3, loadMs: 60_000, idleMs: 30_000 },
}

const dayLoads = {
  short: { customers: 200, perSecond: 20, ms: 5_000 },
  full: { customers: 12_000, perSecond: 200, ms: 600_000 },
}

/**
 * The load for the comparison with other platforms. Even a short run measures the platforms several times in turns, because only the
 * comparison counts.
 */
const peersLoads = {
  short: {
    reads: { connections: 16, warmUpMs: 2_000, rounds: 4, roundMs: 2_000 },
    signUps: { rounds: 4, count: 40, atOnce: 8 },
  },
  full: { reads: paces.full, signUps: { rounds: 6, count: 120, atOnce: 8 } },
}

/**
 * Parts of the benchmark that need PostgreSQL. `night` and `day` run more than one process, but only one process can use the embedded
 * database. `peers` runs other vendors' platforms, which cannot use it at all.
 */
const postgresOnlyParts: readonly Part[] = ['night', 'day', 'peers']

type Outcome = { part: Part; where: string; seconds: number; figures: unknown }

const say = (line: string): void => console.log(line)

let world: BenchWorld | null = null
const exitAfterCleanup = (): void => void (world?.close() ?? Promise.resolve()).finally(() => process.exit(1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, exitAfterCleanup)

/** A run's timeout in minutes, far longer than any run takes. */
const maxMinutes = { short: 20, full: 360 }
/** Extra minutes for installing other vendors' platforms over a slow connection. */
const extraPeerMinutes = 20

async function main(args: string[]): Promise<number> {
  let wish: BenchOptions
  try {
    wish = readBenchOptions(args)
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return 2
  }
  const timeoutMinutes =
    maxMinutes[wish.isFull ? 'full' : 'short'] + (wish.only.includes('peers') ? extraPeerMinutes : 0)
  setTimeout(() => {
    console.error(`Stopped: not finished after ${timeoutMinutes} minutes.`)
    exitAfterCleanup()
  }, timeoutMinutes * 60_000).unref()
  const server = process.env['DATABASE_URL'] || null
  const serverUrls = wish.isFull && server ? [server, null] : [server]
  const [began, load] = [performance.now(), loadavg()[0] ?? 0]
  say(`${availableParallelism()} processors${load > 0.5 ? `, busy before it began: load ${load.toFixed(1)}` : ''}`)
  const outcomes: Outcome[] = []
  try {
    for (const place of serverUrls)
      for (const part of wish.only)
        if (place || !postgresOnlyParts.includes(part)) outcomes.push(await run(part, place, wish))
        else say(`── ${part}: only on PostgreSQL, which DATABASE_URL says ──`)
  } catch (error) {
    console.error(error)
    return 1
  }
  if (wish.out) writeFileSync(wish.out, JSON.stringify({ ...about(wish), load, outcomes }, null, 2))
  const done = outcomes.map(({ part, where }) => `${part} on ${where}`).join(', ') || 'nothing'
  say(`measured in ${Math.round((performance.now() - began) / 1_000)} s: ${done}`)
  return 0
}

async function run(part: Part, server: string | null, wish: BenchOptions): Promise<Outcome> {
  const began = performance.now()
  world = await startBenchWorld(server, part === 'day' ? { answersAfterMs: dayProviderDelayMs } : {})
  try {
    say(`── ${part}, ${world.where === 'postgres' ? 'PostgreSQL' : 'embedded database'} ──`)
    const figures = await measurePart(part, world, wish)
    return { part, where: world.where, seconds: (performance.now() - began) / 1_000, figures }
  } finally {
    await world.close()
    world = null
  }
}

async function measurePart(part: Part, world: BenchWorld, { isFull, services }: BenchOptions): Promise<unknown> {
  switch (part) {
    case 'server': {
      const results = await measureReads(world, isFull ? paces.full : paces.short)
      for (const line of formatReadResults(results)) say(line)
      return results
    }
    case 'activations': {
      const results = await measureActions(world, isFull ? visitorLoads.full : visitorLoads.short)
      for (const line of formatActionResults(results)) say(line)
      return results
    }
    case 'start': {
      const result = await measureStart(world, isFull ? startMeasurements.full : startMeasurements.short)
      for (const line of formatStartResult(result)) say(line)
      return result
    }
    case 'clicks': {
      const result = await measureClicks(world, isFull ? 9 : 1)
      for (const line of formatClickFigures(result)) say(line)
      return result
    }
    case 'night': {
      const nights = [await measureNightlyWork(world, { count: isFull ? 33_000 : 50, workers: 1 })]
      if (isFull && world.server)
        nights.push(
          await runInSecondWorld(world.server, (other) => measureNightlyWork(other, { count: 33_000, workers: 2 })),
        )
      for (const line of formatNightResults(nights)) say(line)
      return nights
    }
    case 'day': {
      const many = services ?? (isFull ? 1_000_000 : 1_000)
      const pace = dayLoads[isFull ? 'full' : 'short']
      const customers = Math.min(pace.customers, many - 2)
      const result = await measureDayLoad(world, { ...pace, services: many, customers })
      for (const line of formatDayResult(result)) say(line)
      return result
    }
    case 'desk': {
      const many = services ?? (isFull && world.server ? 1_000_000 : 1_000)
      const result = await measureDeskRequests(world, many, isFull ? 10_000 : 1_000)
      for (const line of formatDeskResult(result)) say(line)
      return result
    }
    case 'peers': {
      const result = await measurePeers(world, isFull ? peersLoads.full : peersLoads.short)
      for (const line of formatPeersResult(result)) say(line)
      return result
    }
    case 'scale': {
      const largerSize = services ?? (isFull && world.server ? 1_000_000 : null)
      const sizes = [1_000, ...(largerSize ? [largerSize] : [])]
      const result = await measureScale(world, sizes, isFull ? paces.full : paces.short)
      for (const line of formatScaleResult(result)) say(line)
      return result
    }
  }
}

async function runInSecondWorld<T>(server: string, work: (world: BenchWorld) => Promise<T>): Promise<T> {
  const other = await startBenchWorld(server)
  return work(other).finally(() => other.close())
}

const about = ({ isFull }: BenchOptions) => ({
  at: new Date().toISOString(),
  isFull,
  node: process.version,
  processors: availableParallelism(),
  model: cpus()[0]?.model ?? '',
})

process.exitCode = await main(process.argv.slice(2))
