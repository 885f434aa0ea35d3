import { setTimeout as pause } from 'node:timers/promises'
import { middle } from '../figures.ts'
import type { BenchCustomer } from '../world/customers.ts'
import type { BenchProduct } from '../world/product.ts'
import type { Trip, Trips } from '../wire/trips.ts'
import { headersOf, type Read } from './reads.ts'

export type Heard = { trips: Trip[]; roundTrips: number; inARow: number; body: string; type: string }

export type HeardRead = { read: Read; statements: number; roundTrips: number; inARow: number; of: Heard[] }

/** Occasional other work of the product is recorded as well. A call whose statements differ from those of most is repeated. */
const tries = 20

export async function listenTo(
  product: BenchProduct,
  take: () => Trips,
  read: Read,
  customers: readonly BenchCustomer[],
): Promise<HeardRead> {
  // Make each call twice: the network's answer is cached for a moment, as for a customer who reads again and again.
  const hear = async (customer: BenchCustomer): Promise<Heard> => {
    await hearCall(product, take, read, customer)
    return hearCall(product, take, read, customer)
  }
  const first: Heard[] = []
  for (const customer of customers) first.push(await hear(customer))
  const usual = mostOf(first.map(wordsOf))
  const of: Heard[] = []
  for (const [at, customer] of customers.entries()) {
    let heard = first[at]!
    for (let turn = 0; wordsOf(heard) !== usual; turn++) {
      if (turn === tries) throw new Error(`${read.name} has other statements each time`)
      heard = await hear(customer)
    }
    of.push(heard)
  }
  return {
    read,
    statements: of[0]?.trips.length ?? 0,
    roundTrips: middle(of.map(({ roundTrips }) => roundTrips)),
    inARow: middle(of.map(({ inARow }) => inARow)),
    of,
  }
}

const wordsOf = ({ trips }: Heard): string =>
  trips
    .map(({ statement }) => statement)
    .toSorted()
    .join('\n')

function mostOf(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0]
}

export async function hearCall(
  { url }: BenchProduct,
  take: () => Trips,
  read: Read,
  customer: BenchCustomer,
): Promise<Heard> {
  take()
  const answer = await fetch(new URL(read.path(customer), url), {
    headers: { 'accept-encoding': 'identity', ...headersOf({ ...read, accepts: undefined }, customer) },
    redirect: 'manual',
  })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${read.name} answered ${answer.status}: ${body.slice(0, 300)}`)
  // Messages from the product may come a moment after its answer.
  await pause(3)
  const { asked, roundTrips, inARow } = take()
  return { trips: asked, roundTrips, inARow, body, type: answer.headers.get('content-type') ?? '' }
}
