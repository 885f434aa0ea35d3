import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Bucket, type LineUsage, simulateLineUsage, type RatedUsage } from './line-usage.ts'
import { createFailureInjector } from './failure-injector.ts'
import type { Failures } from './failures.ts'
import { buildListPage, type Query } from './list-page.ts'
import type { Network } from './network.ts'
import { type Line, getMsisdn } from './state.ts'

const balanceBase = '/tmf-api/prepayBalanceManagement/v4'
const usageBase = '/tmf-api/usageManagement/v4'

type ListRequest = FastifyRequest<{ Querystring: Query }>

/**
 * Serves TMF654 balances, `?logicalResource.id=<MSISDN>`, and TMF635 usage,
 * `?usageCharacteristic.name=msisdn&usageCharacteristic.value=<MSISDN>&usageDate.gte=<instant>&usageDate.lt=<instant>`.
 */
export function usageRoutes(
  app: FastifyInstance,
  { network, failures }: { network: Network; failures: Failures },
): void {
  const answerWithFailure = createFailureInjector(app)

  app.get(`${balanceBase}/bucket`, (request: ListRequest, reply) =>
    answerWithFailure(failures.takeForCall('balance'), reply, () => {
      const { 'logicalResource.id': msisdn, ...query } = request.query
      const buckets = findLines(network, msisdn).flatMap((found) =>
        found.lived.buckets.map((bucket) => presentBucket(network, found, bucket)),
      )
      return buildListPage(buckets, query, network.lists)
    }),
  )

  app.get(`${usageBase}/usage`, (request: ListRequest, reply) =>
    answerWithFailure(failures.takeForCall('usage'), reply, () => {
      const {
        'usageCharacteristic.name': _name,
        'usageCharacteristic.value': msisdn,
        'usageDate.gte': since,
        'usageDate.lt': until,
        ...query
      } = request.query
      const [from, to] = [parseQueryInstant(since, -Infinity), parseQueryInstant(until, Infinity)]
      const uses = findLines(network, msisdn).flatMap(({ line, lived }) => {
        // Report usage under the number in the request, which may be an old number of the line.
        const number = line.numbers.find((each) => each === normaliseMsisdn(msisdn)) ?? getMsisdn(line)
        const those = lived.uses.filter(({ at }) => network.lists.ignore_filters || (at >= from && at < to))
        return those.map((use) => presentUse(network.origin, number, use))
      })
      return buildListPage(uses, query, network.lists)
    }),
  )
}

type LineWithUsage = { line: Line; lived: LineUsage }

/** Returns the line that has or had the number. If the network ignores filters, returns all lines, whatever number was requested. */
function findLines({ state, lists, now, zone }: Network, asked: Query[string]): LineWithUsage[] {
  const simOfNumber = state.sims.get(state.iccidsByNumber.get(normaliseMsisdn(asked)) ?? '')
  const sims = lists.ignore_filters ? [...state.sims.values()] : simOfNumber ? [simOfNumber] : []
  return sims.flatMap((sim) => {
    const { line } = sim
    return line ? [{ line, lived: simulateLineUsage(state, { sim, line }, now(), zone) }] : []
  })
}

const normaliseMsisdn = (asked: Query[string]): string =>
  typeof asked === 'string' ? asked.replace('+', '').trim() : ''

const parseQueryInstant = (text: Query[string], absent: number): number =>
  typeof text === 'string' && text !== '' ? Date.parse(text) : absent

function presentBucket(
  { state, origin }: Network,
  { line }: LineWithUsage,
  { id, product, usageType, left, from, to }: Bucket,
) {
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
    // The bucket contains the externalId of the order that added the product. The portal chose that id when it placed the order.
    product: [{ id: order?.externalId ?? product.orderId, name: product.sku }],
    logicalResource: [{ id: line.numbers.at(-1), '@referredType': 'LogicalResource' }],
  }
}

const units = { data: 'MB', voice: 'minutes', sms: 'messages' } as const

function presentUse(origin: string, msisdn: string, { id, at, type, amount, destination }: RatedUsage) {
  const measurements = {
    data: ['volume', `${amount} MB`],
    voice: ['duration', `${amount} s`],
    sms: ['messages', `${amount}`],
  } as const
  const [name, value] = measurements[type]
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
