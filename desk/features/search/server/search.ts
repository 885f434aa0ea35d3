import type { Market } from '#kit/contract/bootstrap.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import type { Secrets } from '#kit/server/secrets.ts'
import { type Found, runSearch } from '#features/customers/server/find.store.ts'
import { type Search, searchesOf } from '#features/customers/server/searches.ts'
import { noteAccess } from '#desk/features/staff/server/access.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { type FoundKind, foundKinds } from '../search.contract.ts'
import {
  type FoundOrder,
  type FoundPort,
  type FoundService,
  ordersFound,
  portsFound,
  servicesFound,
} from './search.view.ts'
import { type FoundVoucher, voucherFound } from './voucher-found.ts'

export type SearchDeps = { db: Db; clock: Clock; secrets: Secrets; market: Market }

type FoundThing = Found | (FoundPort & { kind: 'port' })
export type Hit = FoundThing & { search: Search; service: FoundService | null; order: FoundOrder | null }
export type HitGroup = { kind: FoundKind; hits: Hit[]; tooLong: boolean }
export type SearchOutcome = { searches: Search[]; groups: HitGroup[]; voucher: FoundVoucher | null; tookMs: number }

/** Milliseconds. A slower search is left out and reported, because a person waits for the other results. */
const longestMs = 250

const kindOf = {
  port: 'port',
  customer: 'customer',
  number: 'number',
  SIM: 'sim',
  card: 'card',
  order: 'order',
} as const
const kindsOf: Record<Search['of'], readonly FoundKind[]> = {
  order: ['order'],
  email: ['customer'],
  name: ['customer'],
  number: ['number'],
  SIM: ['sim'],
  end: ['number', 'sim', 'card'],
}

/** Finds everything that a text may mean. The access log keeps the kinds, the number of results and a hash, never the text. */
export async function searchFor(
  deps: SearchDeps,
  { id: staffId, roles }: Pick<SignedInStaff, 'id' | 'roles'>,
  text: string,
): Promise<SearchOutcome> {
  const { db, secrets, market } = deps
  const began = performance.now()
  // Searches by email come last: a customer found by name and by email is shown by name, which says more.
  const searches = searchesOf(text, market.phoneRegion).toSorted(
    (one, other) => Number(one.of === 'email') - Number(other.of === 'email'),
  )
  const found: (FoundThing & { search: Search })[] = []
  const tooLong = new Set<FoundKind>()
  for (const search of searches) {
    const rows = await runSearch(db, search, { atMostMs: longestMs })
    if (rows) found.push(...rows.map((row) => ({ ...row, search })))
    else for (const kind of kindsOf[search.of]) tooLong.add(kind)
    if (search.of !== 'number' || !roles.includes('support')) continue
    const ports = await portsFound(db, search.beginnings)
    found.push(...ports.map((port) => ({ ...port, kind: 'port' as const, search })))
  }
  const services = await servicesFound(db, [...new Set(found.flatMap(serviceOf))])
  const orders = await ordersFound(db, [...new Set(found.flatMap(({ kind, hit }) => (kind === 'order' ? [hit] : [])))])
  const hits = found.filter(isFirst).map((one) => ({
    ...one,
    service: services.find(({ id }) => serviceOf(one).includes(id)) ?? null,
    order: (one.kind === 'order' && orders.find(({ order_code: code }) => code === one.hit)) || null,
  }))
  const voucher = await voucherFound(deps, text)
  if (searches.length > 0)
    await noteAccess(db, {
      staffId,
      act: 'searched',
      subject: secrets.hash('desk-search', text.toLowerCase()),
      detail: `${searches.map(({ of }) => of).join(', ')}: ${hits.length}${voucher ? ', voucher: 1' : ''}`,
    })
  const groups = foundKinds
    .map((kind) => ({ kind, hits: hits.filter((hit) => kindOf[hit.kind] === kind), tooLong: tooLong.has(kind) }))
    .filter((group) => group.hits.length > 0 || group.tooLong)
  return { searches, groups, voucher, tookMs: Math.round(performance.now() - began) }
}

const serviceOf = ({ kind, thing }: FoundThing): string[] =>
  (kind === 'number' || kind === 'SIM') && thing ? [thing] : []

const isFirst = (one: FoundThing, index: number, all: FoundThing[]): boolean =>
  all.findIndex(
    (other) =>
      other.kind === one.kind &&
      other.user_id === one.user_id &&
      (one.kind === 'customer' || (other.hit === one.hit && (other.thing === one.thing || one.kind === 'port'))),
  ) === index
