import { computePercentile, type Round } from '../load-figures.ts'
import { openBenchConnection } from '../scale/bench-connection.ts'
import { copyCustomers } from '../scale/copy-customers.ts'
import { createTemplateCustomers } from '../world/template-customers.ts'
import type { BenchWorld } from '../world/world.ts'
import { deskRequests, assignNames, recordAccess, readSearchTargets } from './search-targets.ts'
import { createStaffSessions } from './staff.ts'

/** Figures for one kind of request, in milliseconds. `mostMs` is the limit for the 95th percentile. */
export type DeskFigures = { name: string; calls: number; p50: number; p95: number; p99: number; mostMs: number }
export type DeskResult = { services: number; seconds: number; figures: DeskFigures[] }

/** How many staff members share the searches. Several are needed, because each may search only 240 times an hour. */
const staffCount = 20
const sampleSize = 200
const pace = { connections: 4, perSecond: 20 }
const [days, zone] = [22, 'Pacific/Auckland']

export async function measureDeskRequests(world: BenchWorld, services: number, ms: number): Promise<DeskResult> {
  const templateProduct = await world.start()
  const { renewing, ending } = await createTemplateCustomers(world, templateProduct, { renewed: true }).finally(
    templateProduct.stop,
  )
  const connection = await openBenchConnection(world.place)
  const emails = [renewing.email, ending.email]
  const { seconds } = await copyCustomers(connection, emails, { count: services - emails.length, days, zone })
  await assignNames(connection)
  await connection.ask('vacuum analyze')
  const [cookies, sought] = [
    await createStaffSessions(connection, staffCount),
    await readSearchTargets(connection, sampleSize),
  ]
  await recordAccess(connection, sought)
  await connection.close()
  const product = await world.start({ hasDesk: true })
  try {
    const figures: DeskFigures[] = []
    for (const { name, mostMs, path } of deskRequests) {
      const calls = sought.map((each, nth) => ({ path: path(each), headers: { cookie: cookies[nth % staffCount]! } }))
      const port = product.deskPort
      if (port === null) throw new Error('there is no desk')
      const read = (forMs: number): Promise<Round> => world.load.ask({ port, calls, ...pace, ms: forMs })
      await read(500)
      const { times } = await read(ms)
      const sortedTimes = Float64Array.from(times).sort()
      const at = (part: number): number => computePercentile(sortedTimes, part)
      figures.push({ name, calls: sortedTimes.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), mostMs })
    }
    return { services, seconds, figures }
  } finally {
    await product.stop()
  }
}
