import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { type FoundActivation, searchActivations } from '#features/customers/server/activation-search.store.ts'
import { type SearchHit, runSearch } from '#features/customers/server/customer-search.store.ts'
import { type SearchCriterion, parseSearch } from '#features/customers/server/parse-search.ts'
import { listOrderPrefixes } from '#features/orders/server/order-prefixes.store.ts'
import { insertAccessEntry } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type ResultType, resultTypes } from '../search.contract.ts'
import {
  type FoundOrder,
  type FoundPort,
  type FoundService,
  findOrders,
  findPorts,
  findServices,
} from './search.view.ts'
import { type FoundVoucher, findVoucher } from './find-voucher.ts'

export type SearchDeps = { db: Db; clock: Clock; secrets: Secrets; market: Market }

type FoundItem = SearchHit | FoundActivation | (FoundPort & { kind: 'port' })
export type Hit = FoundItem & { search: SearchCriterion; service: FoundService | null; order: FoundOrder | null }
export type HitGroup = { kind: ResultType; hits: Hit[]; tooLong: boolean }
export type SearchOutcome = {
  searches: SearchCriterion[]
  groups: HitGroup[]
  voucher: FoundVoucher | null
  tookMs: number
}

/** Timeout in milliseconds. A slower search is left out and reported, because someone is waiting for the other results. */
const searchTimeoutMs = 250

const resultTypeByKind = {
  port: 'port',
  customer: 'customer',
  number: 'number',
  SIM: 'sim',
  card: 'card',
  order: 'order',
  activation: 'activation',
} as const
const resultTypesBySearch: Record<SearchCriterion['of'], readonly ResultType[]> = {
  order: ['order'],
  email: ['customer'],
  name: ['customer'],
  number: ['number'],
  SIM: ['sim'],
  end: ['number', 'sim', 'card'],
}

/**
 * Runs every kind of search that fits the text. The access log keeps the kinds of search, the number of results and a
 * hash, but never the text itself.
 */
export async function runSearches(
  deps: SearchDeps,
  { id: staffId, roles }: Pick<SignedInStaff, 'id' | 'roles'>,
  text: string,
): Promise<SearchOutcome> {
  const { db, secrets, market } = deps
  const startedAt = performance.now()
  // Searches by email address run last. A customer found by both name and address is then listed by name, which tells staff more.
  const searches = parseSearch(text, market.phoneRegion, await listOrderPrefixes(db)).toSorted(
    (one, other) => Number(one.of === 'email') - Number(other.of === 'email'),
  )
  const found: (FoundItem & { search: SearchCriterion })[] = []
  const timedOutTypes = new Set<ResultType>()
  for (const search of searches) {
    const rows = await runSearch(db, search, { atMostMs: searchTimeoutMs })
    if (rows) found.push(...rows.map((row) => ({ ...row, search })))
    else for (const kind of resultTypesBySearch[search.of]) timedOutTypes.add(kind)
    // A search by order code finds every order, with or without an account.
    if (search.of !== 'order') {
      const activations = await searchActivations(db, search, { atMostMs: searchTimeoutMs })
      if (activations) found.push(...activations.map((activation) => ({ ...activation, search })))
      else timedOutTypes.add('activation')
    }
    if (search.of !== 'number' || !roles.includes('support')) continue
    const ports = await findPorts(db, search)
    found.push(...ports.map((port) => ({ ...port, kind: 'port' as const, search })))
  }
  const services = await findServices(db, [...new Set(found.flatMap(listServiceIds))])
  const orders = await findOrders(db, [...new Set(found.flatMap(orderCodesOf))])
  const hits = found.filter(isFirstOccurrence).map((one) => ({
    ...one,
    service: services.find(({ id }) => listServiceIds(one).includes(id)) ?? null,
    order: orders.find(({ order_code: code }) => orderCodesOf(one).includes(code)) ?? null,
  }))
  const voucher = await findVoucher(deps, text)
  if (searches.length > 0)
    await insertAccessEntry(db, {
      staffId,
      act: 'searched',
      subject: secrets.hash('desk-search', text.toLowerCase()),
      detail: `${searches.map(({ of }) => of).join(', ')}: ${hits.length}${voucher ? ', voucher: 1' : ''}`,
    })
  const groups = resultTypes
    .map((kind) => ({
      kind,
      hits: hits.filter((hit) => resultTypeByKind[hit.kind] === kind),
      tooLong: timedOutTypes.has(kind),
    }))
    .filter((group) => group.hits.length > 0 || group.tooLong)
  return { searches, groups, voucher, tookMs: Math.round(performance.now() - startedAt) }
}

const listServiceIds = (found: FoundItem): string[] =>
  (found.kind === 'number' || found.kind === 'SIM') && found.thing ? [found.thing] : []

function orderCodesOf(found: FoundItem): string[] {
  if (found.kind === 'order') return [found.hit]
  return found.kind === 'activation' && found.order_code ? [found.order_code] : []
}

/** Identifies a result, which several searches may find. */
function keyOf(found: FoundItem): string {
  const { kind, hit, user_id: userId } = found
  switch (found.kind) {
    case 'activation':
      return `${kind} ${found.id}`
    case 'customer':
      return `${kind} ${userId}`
    case 'port':
      return `${kind} ${userId} ${hit}`
    default:
      return `${kind} ${userId} ${hit} ${found.thing}`
  }
}

const isFirstOccurrence = (one: FoundItem, index: number, all: FoundItem[]): boolean =>
  all.findIndex((other) => keyOf(other) === keyOf(one)) === index
