import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Bucket, type Consumption, consumptionOf, type RatedUse } from './consumption.ts'
import { createDisturbance } from './disturbance.ts'
import type { Failures } from './failures.ts'
import { listPage, type Query } from './listing.ts'
import type { Network } from './network.ts'
import type { Line, Sim } from './state.ts'

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
      const found = lineOf(network, msisdn)
      return listPage(found ? found.lived.buckets.map((bucket) => bucketView(network, found, bucket)) : [], query)
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
      const found = lineOf(network, msisdn)
      const uses = (found?.lived.uses ?? []).filter(({ at }) => at >= from && at < to)
      return listPage(
        uses.map((use) => useView(String(msisdn), use)),
        query,
      )
    }),
  )
}

type Found = { sim: Sim; line: Line; lived: Consumption }

/** A number that the line had before a port still means this line. */
function lineOf(network: Network, asked: Query[string]): Found | null {
  const msisdn = typeof asked === 'string' ? asked.replace('+', '').trim() : ''
  for (const sim of network.state.sims.values()) {
    const { line } = sim
    if (line?.numbers.includes(msisdn))
      return { sim, line, lived: consumptionOf(network.state, { sim, line }, network.now(), network.zone) }
  }
  return null
}

const instantOf = (text: Query[string], absent: number): number =>
  typeof text === 'string' && text !== '' ? Date.parse(text) : absent

function bucketView({ state }: Network, { line }: Found, { id, product, usageType, left, from, to }: Bucket) {
  const order = state.orders.get(product.orderId)
  return {
    id,
    href: `${balanceBase}/bucket/${id}`,
    usageType,
    status: 'active',
    isShared: false,
    remainingValue: { amount: left, units: units[usageType] },
    reservedValue: { amount: 0, units: units[usageType] },
    validFor: { startDateTime: iso(from), endDateTime: iso(to) },
    // The order that brought it, by the name its buyer gave it.
    product: [{ id: order?.externalId ?? product.orderId, name: product.sku }],
    logicalResource: [{ id: line.numbers.at(-1), '@referredType': 'LogicalResource' }],
  }
}

const units = { data: 'MB', voice: 'minutes', sms: 'messages' } as const

function useView(msisdn: string, { id, at, type, amount, destination }: RatedUse) {
  const measured = {
    data: ['volume', `${amount} MB`],
    voice: ['duration', `${amount} s`],
    sms: ['messages', `${amount}`],
  } as const
  const [name, value] = measured[type]
  return {
    id,
    href: `${usageBase}/usage/${id}`,
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
