import { setTimeout as pause } from 'node:timers/promises'
import { computeMedian } from '../load-figures.ts'
import type { BenchCustomer } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import type { RoundTripStatement, RoundTripRecord } from '../wire/round-trips.ts'
import { buildHeaders, type Read } from './reads.ts'

export type RecordedRequest = {
  trips: RoundTripStatement[]
  roundTrips: number
  inARow: number
  body: string
  type: string
}

export type RecordedRead = { read: Read; statements: number; roundTrips: number; inARow: number; of: RecordedRequest[] }

/**
 * How many times a read is repeated if it was recorded with unusual statements. Fantail occasionally does work in the background, whose
 * statements are recorded as well.
 */
const tries = 20

export async function recordRead(
  product: BenchProduct,
  take: () => RoundTripRecord,
  read: Read,
  customers: readonly BenchCustomer[],
): Promise<RecordedRead> {
  // Send each request twice. The network's response is cached briefly, so the second request shows what happens for a customer who keeps
  // reading.
  const hear = async (customer: BenchCustomer): Promise<RecordedRequest> => {
    await recordCall(product, take, read, customer)
    return recordCall(product, take, read, customer)
  }
  const first: RecordedRequest[] = []
  for (const customer of customers) first.push(await hear(customer))
  const usual = findMostFrequent(first.map(getStatementsKey))
  const of: RecordedRequest[] = []
  for (const [at, customer] of customers.entries()) {
    let heard = first[at]!
    for (let turn = 0; getStatementsKey(heard) !== usual; turn++) {
      if (turn === tries) throw new Error(`${read.name} has other statements each time`)
      heard = await hear(customer)
    }
    of.push(heard)
  }
  return {
    read,
    statements: of[0]?.trips.length ?? 0,
    roundTrips: computeMedian(of.map(({ roundTrips }) => roundTrips)),
    inARow: computeMedian(of.map(({ inARow }) => inARow)),
    of,
  }
}

const getStatementsKey = ({ trips }: RecordedRequest): string =>
  trips
    .map(({ statement }) => statement)
    .toSorted()
    .join('\n')

function findMostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0]
}

export async function recordCall(
  { url }: BenchProduct,
  take: () => RoundTripRecord,
  read: Read,
  customer: BenchCustomer,
): Promise<RecordedRequest> {
  take()
  const answer = await fetch(new URL(read.path(customer), url), {
    headers: { 'accept-encoding': 'identity', ...buildHeaders({ ...read, accepts: undefined }, customer) },
    redirect: 'manual',
  })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${read.name} answered ${answer.status}: ${body.slice(0, 300)}`)
  // Wait briefly, because Fantail may report its last statements shortly after its response.
  await pause(3)
  const { asked, roundTrips, inARow } = take()
  return { trips: asked, roundTrips, inARow, body, type: answer.headers.get('content-type') ?? '' }
}
