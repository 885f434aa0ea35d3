import { percentile } from '../load-figures.ts'
import { activateLines } from '../night/activate-lines.ts'
import { openBenchConnection } from '../scale/bench-connection.ts'
import { copyCustomers } from '../scale/copy-customers.ts'
import { startChild } from '../world/child-process.ts'
import type { BenchProduct } from '../world/product.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import type { BenchWorld } from '../world/world.ts'
import { type DayCustomer, createCopySessions } from './customers.ts'
import type { DayTimes, DayRequest } from './day-process.ts'
import { writeRequestKinds, type DayRequestKind } from './timetable.ts'

export type DayFigures = { name: string; calls: number; p50: number; p95: number; p99: number }
export type DayResult = {
  services: number
  customers: number
  perSecond: number
  minutes: number
  answersAfterMs: number
  reads: DayFigures
  changes: DayFigures
  each: DayFigures[]
  errors: string[]
}

export type DayLoad = { services: number; customers: number; perSecond: number; ms: number }

/** How long the simulated gateway and network wait before each response, in milliseconds. */
export const dayProviderDelayMs = 50
const warmUpMs = 20_000
const [days, zone] = [22, 'Pacific/Auckland']

export async function measureDay(world: BenchWorld, pace: DayLoad): Promise<DayResult> {
  const runningProducts: BenchProduct[] = []
  const visitors = startChild<DayRequest, DayTimes>('day/day-process.ts')
  try {
    const customers = await fill(world, pace)
    const product = await world.start({ pages: true, role: 'web' })
    runningProducts.push(product, await world.startWorker())
    const live = (ms: number, from: number): Promise<DayTimes> =>
      visitors.ask({ port: product.port, customers, perSecond: pace.perSecond, ms, from })
    const warmUpDuration = Math.min(warmUpMs, pace.ms)
    await live(warmUpDuration, 0)
    return summariseDay(pace, await live(pace.ms, (pace.perSecond * warmUpDuration) / 1_000))
  } finally {
    await visitors.end()
    await Promise.all(runningProducts.map((each) => each.stop()))
  }
}

async function fill(world: BenchWorld, { services, customers }: DayLoad): Promise<DayCustomer[]> {
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct, { renewed: true }).finally(
    templateProduct.stop,
  )
  const connection = await openBenchConnection(world.place)
  try {
    const emails = [renewing.email, ending.email]
    await copyCustomers(connection, emails, { count: services - emails.length, days, zone })
    const [plan] = await connection.ask<{ sku: string }>(`select sku from products where unique_id = 'plan-30-5gb'`)
    await activateLines(world, customers, { plan: plan?.sku ?? '' })
    const signedInCustomers = await createCopySessions(connection, world.secretKey, customers)
    await connection.ask('vacuum analyze')
    return signedInCustomers
  } finally {
    await connection.close()
  }
}

function summariseDay({ services, customers, perSecond, ms }: DayLoad, { times, errors }: DayTimes): DayResult {
  const calls = Object.entries(times) as [DayRequestKind, number[]][]
  const of = (isWanted: (call: DayRequestKind) => boolean): number[] =>
    calls.flatMap(([call, all]) => (isWanted(call) ? all : []))
  const isWriteRequest = (call: DayRequestKind): boolean => writeRequestKinds.includes(call)
  const [reads, acts] = [of((call) => !isWriteRequest(call)), of(isWriteRequest)]
  if (reads.length === 0 || acts.length === 0) throw new Error(`no call succeeded: ${errors.slice(0, 5).join('; ')}`)
  return {
    services,
    customers,
    perSecond,
    minutes: ms / 60_000,
    answersAfterMs: dayProviderDelayMs,
    reads: dayFiguresOf('all reads', reads),
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
