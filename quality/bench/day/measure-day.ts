import { setPriority } from 'node:os'
import { computePercentile } from '../load-figures.ts'
import { activateLines } from '../night/activate-lines.ts'
import { type BenchConnection, openBenchConnection } from '../scale/bench-connection.ts'
import { copyCustomers } from '../scale/copy-customers.ts'
import { startChild } from '../world/child-process.ts'
import type { BenchProduct } from '../world/product.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import type { BenchWorld } from '../world/world.ts'
import { type DayCustomer, createSessionsForCopies } from './customers.ts'
import type { DayMeasurement, DayRequest } from './day-process.ts'
import {
  countBacklog,
  deletePastWork,
  isDueFirst,
  planSpreadDays,
  sendPastNotices,
  startNightlyWork,
  type Backlog,
} from './nightly-work.ts'
import { writeRequestKinds, type DayRequestKind } from './timetable.ts'

export type DayFigures = { name: string; calls: number; p50: number; p95: number; p99: number }
type PeriodFigures = {
  reads: DayFigures
  ownReads: DayFigures
  changes: DayFigures
  each: DayFigures[]
  errors: string[]
}
export type DayResult = {
  services: number
  customers: number
  perSecond: number
  minutes: number
  answersAfterMs: number
  day: PeriodFigures
  /** The same load during the nightly work, with the backlog at the start and at the end. */
  night: PeriodFigures & { atStart: Backlog; atEnd: Backlog }
}

export type DayLoad = { services: number; customers: number; perSecond: number; ms: number }

/** How long the simulated gateway and network wait before each response, in milliseconds. */
export const dayProviderDelayMs = 50
const warmUpMs = 20_000
const zone = 'Pacific/Auckland'
/**
 * The worker's niceness. It gives the worker about half of the web process's CPU weight, as `CPUWeight=50` does in
 * deploy/systemd/fantail-worker@.service.
 */
const workerNiceness = 3

export async function measureDayLoad(world: BenchWorld, load: DayLoad): Promise<DayResult> {
  const runningProducts: BenchProduct[] = []
  const visitors = startChild<DayRequest, DayMeasurement>('day/day-process.ts')
  const connection = await openBenchConnection(world.place)
  try {
    const customers = await fill(world, connection, load)
    const [product, worker] = [await world.start({ pages: true, role: 'web' }), await world.startWorker()]
    runningProducts.push(product, worker)
    if (worker.pid) setPriority(worker.pid, workerNiceness)
    await sendPastNotices(world, { running: runningProducts, asking: connection })
    await connection.ask('vacuum analyze')
    let from = 0
    const sendRequests = (ms: number): Promise<DayMeasurement> => {
      const request = { port: product.port, customers, perSecond: load.perSecond, ms, from }
      from += (load.perSecond * ms) / 1_000
      return visitors.ask(request)
    }
    await sendRequests(Math.min(warmUpMs, load.ms))
    const day = summarisePeriod(await sendRequests(load.ms))
    const nightlyWorkTime = await startNightlyWork(world, connection)
    const atStart = await countBacklog(connection, nightlyWorkTime)
    const night = summarisePeriod(await sendRequests(load.ms))
    return {
      services: load.services,
      customers: load.customers,
      perSecond: load.perSecond,
      minutes: load.ms / 60_000,
      answersAfterMs: dayProviderDelayMs,
      day,
      night: { ...night, atStart, atEnd: await countBacklog(connection, nightlyWorkTime) },
    }
  } finally {
    await visitors.end()
    await Promise.all(runningProducts.map((each) => each.stop()))
    await connection.close()
  }
}

async function fill(
  world: BenchWorld,
  connection: BenchConnection,
  { services, customers }: DayLoad,
): Promise<DayCustomer[]> {
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct, { renewed: true }).finally(
    templateProduct.stop,
  )
  const emails = [renewing.email, ending.email]
  const count = services - emails.length
  await copyCustomers(connection, emails, { count, days: planSpreadDays, zone })
  await deletePastWork(connection)
  const copies = Array.from({ length: count }, (_, at) => at + 1)
  const visitingCopies = copies.filter((n) => !isDueFirst(n)).slice(0, customers)
  const [plan] = await connection.ask<{ sku: string }>(`select sku from products where unique_id = 'plan-30-5gb'`)
  await activateLines(world, [...visitingCopies, ...copies.filter(isDueFirst)], { plan: plan?.sku ?? '' })
  return createSessionsForCopies(connection, world.secretKey, visitingCopies)
}

function summarisePeriod({ times, errors }: DayMeasurement): PeriodFigures {
  const calls = Object.entries(times) as [DayRequestKind, number[]][]
  const of = (isWanted: (call: DayRequestKind) => boolean): number[] =>
    calls.flatMap(([call, all]) => (isWanted(call) ? all : []))
  const isWriteRequest = (call: DayRequestKind): boolean => writeRequestKinds.includes(call)
  const [reads, acts] = [of((call) => !isWriteRequest(call)), of(isWriteRequest)]
  if (reads.length === 0 || acts.length === 0) throw new Error(`no call succeeded: ${errors.slice(0, 5).join('; ')}`)
  return {
    reads: computeDayFigures('all reads', reads),
    ownReads: computeDayFigures(
      'reads without a network request',
      of((call) => !isWriteRequest(call) && call !== 'usage summary'),
    ),
    changes: computeDayFigures('all changes', acts),
    each: calls.map(([call, all]) => computeDayFigures(call, all)),
    errors,
  }
}

function computeDayFigures(name: string, times: readonly number[]): DayFigures {
  const sortedTimes = Float64Array.from(times).sort()
  const at = (part: number): number => computePercentile(sortedTimes, part)
  return { name, calls: sortedTimes.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
