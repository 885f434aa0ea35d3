import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Bucket, type Consumption, consumptionOf, type RatedUse } from './consumption.ts'
import { createDisturbance } from './disturbance.ts'
import type { Failures } from './failures.ts'
import { listPage, type Query } from './listing.ts'
import type { Network } from './network.ts'
import { type Line, msisdnOf } from './state.ts'

const balanceBase = '/tmf-api/prepayBalanceManagement/v4'
const usageBase = '/tmf-api/usageManagement/v4'

type ListRequest = FastifyRequest<{ Querystring: Query }>

/**
 * TMF654 balances, `?logicalResource.id=<MSISDN>`, and TMF635 usage,
 * `?usageCharacteristic.name=msisdn&usageCharacteristic.value=<MSISDN>&usageDate.gte=<instant>&usageDate.lt=<instant>`.
 */
export function usageRoutes(
  app: FastifyInstance,
  { network, failures }: { network: Network; failures: Failures },
): void {
  const answerThrough = createDisturbance(app)

  app.get(`${balanceBase}/bucket`, (request: ListRequest, reply) =>
    answerThrough(failures.takeForCall('balance'), reply, () => {
      const { 'logicalResource.id': msisdn, ...query } = request.query
      const buckets = linesOf(network, msisdn).flatMap((found) =>
        found.lived.buckets.map((bucket) => bucketView(network, found, bucket)),
      )
      return listPage(buckets, query, network.lists)
    }),
  )

  app.get(`${usageBase}/usage`, (request: ListRequest, reply) =>
    answerThrough(failures.takeForCall('usage'), reply, () => {
      const {
        'usageCharacteristic.name': _name,
        'usageCharacteristic.value': msisdn,
        'usageDate.gte': since,
        'usageDate.lt': until,
        ...query
      } = request.query
      const [from, to] = [instantOf(since, -Infinity), instantOf(until, Infinity)]
      const uses = linesOf(network, msisdn).flatMap(({ line, lived }) => {
        // Reports the requested number, which may be an earlier number of the line.
        const number = line.numbers.find((each) => each === bare(msisdn)) ?? msisdnOf(line)
        const those = lived.uses.filter(({ at }) => network.lists.ignore_filters || (at >= from && at < to))
        return those.map((use) => useView(network.origin, number, use))
      })
      return listPage(uses, query, network.lists)
    }),
  )
}

type Found = { line: Line; lived: Consumption }

function linesOf(network: Network, asked: Query[string]): Found[] {
  const found: Found[] = []
  for (const sim of network.state.sims.values()) {
    const { line } = sim
    if (line && (network.lists.ignore_filters || line.numbers.includes(bare(asked))))
      found.push({ line, lived: consumptionOf(network.state, { sim, line }, network.now(), network.zone) })
  }
  return network.lists.ignore_filters ? found : found.slice(0, 1)
}

const bare = (asked: Query[string]): string => (typeof asked === 'string' ? asked.replace('+', '').trim() : '')

const instantOf = (text: Query[string], absent: number): number =>
  typeof text === 'string' && text !== '' ? Date.parse(text) : absent

function bucketView({ state, origin }: Network, { line }: Found, { id, product, usageType, left, from, to }: Bucket) {
  const order = state.orders.get(product.orderId)
  return {
    id,
    href: `${origin}${balanceBase}/bucket/${id}`,
    usageType,
    status: 'active',
    isShared: false,
    remainingValue: { amount: left, units: units[usageType] },
    reservedValue: { amount: 0, units: units[usageType] },
    validFor: { startDateTime: iso(from), endDateTime: iso(to) },
    // The buyer's externalId of the order that added the product.
    product: [{ id: order?.externalId ?? product.orderId, name: product.sku }],
    logicalResource: [{ id: line.numbers.at(-1), '@referredType': 'LogicalResource' }],
  }
}

const units = { data: 'MB', voice: 'minutes', sms: 'messages' } as const

function useView(origin: string, msisdn: string, { id, at, type, amount, destination }: RatedUse) {
  const measured = {
    data: ['volume', `${amount} MB`],
    voice: ['duration', `${amount} s`],
    sms: ['messages', `${amount}`],
  } as const
  const [name, value] = measured[type]
  return {
    id,
    href: `${origin}${usageBase}/usage/${id}`,
    usageDate: iso(at),
    usageType: type,
    status: 'rated',
    usageCharacteristic: [
      { name: 'msisdn', value: msisdn },
      { name, value },
      ...(destination === null ? [] : [{ name: 'destination', value: destination }]),
    ],
  }
}

const iso = (at: number): string => new Date(at).toISOString()
