import { setPriority } from 'node:os'
import { percentile } from '../load-figures.ts'
import { activateLines } from '../night/activate-lines.ts'
import { type BenchConnection, openBenchConnection } from '../scale/bench-connection.ts'
import { copyCustomers } from '../scale/copy-customers.ts'
import { startChild } from '../world/child-process.ts'
import type { BenchProduct } from '../world/product.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import type { BenchWorld } from '../world/world.ts'
import { type DayCustomer, createCopySessions } from './customers.ts'
import type { DayTimes, DayRequest } from './day-process.ts'
import {
  countWorkLeft,
  deletePastWork,
  isDueFirst,
  planDays,
  sendPastNotices,
  startNightsWork,
  type WorkLeft,
} from './nights-work.ts'
import { writeRequestKinds, type DayRequestKind } from './timetable.ts'

export type DayFigures = { name: string; calls: number; p50: number; p95: number; p99: number }
type Stretch = { reads: DayFigures; ownReads: DayFigures; changes: DayFigures; each: DayFigures[]; errors: string[] }
export type DayResult = {
  services: number
  customers: number
  perSecond: number
  minutes: number
  answersAfterMs: number
  day: Stretch
  /** The same load beside a night's work, with the work that was left at the beginning and at the end. */
  night: Stretch & { atStart: WorkLeft; atEnd: WorkLeft }
}

export type DayLoad = { services: number; customers: number; perSecond: number; ms: number }

/** How long the simulated gateway and network wait before each response, in milliseconds. */
export const dayProviderDelayMs = 50
const warmUpMs = 20_000
const zone = 'Pacific/Auckland'
/**
 * The worker's priority as Unix counts it. Its weight is about half of the web process's, as in deploy/systemd/fantail-worker@.service
 * (`CPUWeight=50`).
 */
const workerPriority = 3

export async function measureDay(world: BenchWorld, load: DayLoad): Promise<DayResult> {
  const running: BenchProduct[] = []
  const visitors = startChild<DayRequest, DayTimes>('day/day-process.ts')
  const asking = await openBenchConnection(world.place)
  try {
    const customers = await fill(world, asking, load)
    const [product, worker] = [await world.start({ pages: true, role: 'web' }), await world.startWorker()]
    running.push(product, worker)
    if (worker.pid) setPriority(worker.pid, workerPriority)
    await sendPastNotices(world, { running, asking })
    await asking.ask('vacuum analyze')
    let from = 0
    const live = (ms: number): Promise<DayTimes> => {
      const request = { port: product.port, customers, perSecond: load.perSecond, ms, from }
      from += (load.perSecond * ms) / 1_000
      return visitors.ask(request)
    }
    await live(Math.min(warmUpMs, load.ms))
    const day = summariseStretch(await live(load.ms))
    const morning = await startNightsWork(world, asking)
    const atStart = await countWorkLeft(asking, morning)
    const night = summariseStretch(await live(load.ms))
    return {
      services: load.services,
      customers: load.customers,
      perSecond: load.perSecond,
      minutes: load.ms / 60_000,
      answersAfterMs: dayProviderDelayMs,
      day,
      night: { ...night, atStart, atEnd: await countWorkLeft(asking, morning) },
    }
  } finally {
    await visitors.end()
    await Promise.all(running.map((each) => each.stop()))
    await asking.close()
  }
}

async function fill(
  world: BenchWorld,
  asking: BenchConnection,
  { services, customers }: DayLoad,
): Promise<DayCustomer[]> {
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct, { renewed: true }).finally(
    templateProduct.stop,
  )
  const emails = [renewing.email, ending.email]
  const count = services - emails.length
  await copyCustomers(asking, emails, { count, days: planDays, zone })
  await deletePastWork(asking)
  const copies = Array.from({ length: count }, (_, at) => at + 1)
  const visiting = copies.filter((n) => !isDueFirst(n)).slice(0, customers)
  const [plan] = await asking.ask<{ sku: string }>(`select sku from products where unique_id = 'plan-30-5gb'`)
  await activateLines(world, [...visiting, ...copies.filter(isDueFirst)], { plan: plan?.sku ?? '' })
  return createCopySessions(asking, world.secretKey, visiting)
}

function summariseStretch({ times, errors }: DayTimes): Stretch {
  const calls = Object.entries(times) as [DayRequestKind, number[]][]
  const of = (isWanted: (call: DayRequestKind) => boolean): number[] =>
    calls.flatMap(([call, all]) => (isWanted(call) ? all : []))
  const isWriteRequest = (call: DayRequestKind): boolean => writeRequestKinds.includes(call)
  const [reads, acts] = [of((call) => !isWriteRequest(call)), of(isWriteRequest)]
  if (reads.length === 0 || acts.length === 0) throw new Error(`no call succeeded: ${errors.slice(0, 5).join('; ')}`)
  return {
    reads: dayFiguresOf('all reads', reads),
    ownReads: dayFiguresOf(
      'reads that do not ask the network',
      of((call) => !isWriteRequest(call) && call !== 'usage summary'),
    ),
    changes: dayFiguresOf('all changes', acts),
    each: calls.map(([call, all]) => dayFiguresOf(call, all)),
    errors,
  }
}

function dayFiguresOf(name: string, times: readonly number[]): DayFigures {
  const sortedTimes = Float64Array.from(times).sort()
  const at = (part: number): number => percentile(sortedTimes, part)
  return { name, calls: sortedTimes.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
