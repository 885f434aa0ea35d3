import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import { realNow } from '#kit/server/clock.ts'
import type { Deps } from '#app/deps.ts'
import { disputesOf } from '#features/disputes/server/disputes.store.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { latestPorts } from '#features/porting/server/porting.store.ts'
import { listLoads } from '#features/stock/server/sim-loads.store.ts'
import { receiveSims } from '#features/stock/server/sim-import.ts'
import { lastApprovalOf } from '#desk/features/approvals/server/approvals.store.ts'
import { askToGiveBack } from '#desk/features/orders/server/give-back.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { findStaffByEmail } from '#desk/features/staff/server/staff.store.ts'
import { badFile } from './bad-file.ts'
import { fullDomain } from './mailbox.ts'
import type { Outside } from './outside.ts'
import { demoStaff } from './staff.ts'
import { simPack } from './stock.ts'
import { activates, confirms, type Customer } from './story.ts'
import { until } from './until.ts'
import { visit } from './visitor.ts'

export type BusyWorld = { app: FastifyInstance; deps: Deps; market: Market; outside: Outside }

// The positions of these packs lie after those of the other demo customers.
const kiri = aCustomer('kiri@customer.example', 'Kiri Aperahama')
const rewi = aCustomer('rewi@customer.example', 'Rewi Parata')
const lucy = aCustomer('lucy@customer.example', 'Lucy Chen')
const aroha = aCustomer('aroha@customer.example', 'Aroha Simmons')
const tavita = aCustomer(`tavita@${fullDomain}`, 'Tavita Leota')
const month = { days: 30, gb: 15 }

function aCustomer(email: string, full_name: string): Customer {
  return { email, full_name, password: 'kereru-2-tui' }
}

async function buys(world: BusyWorld, who: Customer, pack: number): Promise<Order> {
  const { deps, outside, market } = world
  await activates(pack, month)({ ...world, tellNetwork: outside.announceSims }, who, deps.clock.now())
  const { order_code } = await deps.db
    .selectFrom('sim_packs')
    .innerJoin('orders', 'orders.id', 'sim_packs.order_id')
    .select('order_code')
    .where('sim_packs.iccid', '=', simPack(pack, market).iccid)
    .executeTakeFirstOrThrow()
  const order = await findOrderByCode(deps.db, order_code)
  if (!order) throw new Error(`there is no order ${order_code}`)
  return order
}

async function hine({ deps: { db } }: BusyWorld): Promise<SignedInStaff> {
  const person = await findStaffByEmail(db, demoStaff[0]?.email ?? '')
  if (!person) throw new Error('nobody is at the desk')
  const { id, name, email, roles, is_lead: isLead } = person
  const shownAt = new Date(realNow().epochMilliseconds)
  const noPasskey = { passkeys: 0, passkeyCountsFrom: null, isPasskeyOldEnough: true }
  return { id, name, email, roles, isLead, ...noPasskey, sessionId: '', shownAt }
}

export async function captureIsRefused(world: BusyWorld): Promise<void> {
  const { iccid } = simPack(9_101, world.market)
  const holds = world.deps.db.selectFrom('sim_packs').select('order_id').where('iccid', '=', iccid)
  if (!(await holds.executeTakeFirst())?.order_id) await world.outside.refuseNextCapture()
  await buys(world, rewi, 9_101)
}

export async function asksForApproval(world: BusyWorld): Promise<void> {
  const { deps } = world
  const { order_code: code, amount_cents: amount } = await buys(world, kiri, 9_102)
  const last = await lastApprovalOf(deps.db, 'refund', code)
  const holdsUntil = last?.decision === null ? last.lapses_at.getTime() : Infinity
  if (last && last.decision !== 'lapsed' && holdsUntil > realNow().epochMilliseconds) return
  const note = 'Meant to renew, and activated a second SIM.'
  await askToGiveBack(deps, await hine(world), { code, amount, left: amount, reason: 'bought-twice', note })
}

const answerDays = 13

export async function bankTakesBack(world: BusyWorld): Promise<void> {
  const { deps, outside } = world
  const { id, order_code: code } = await buys(world, lucy, 9_103)
  if ((await disputesOf(deps.db, id)).length > 0) return
  const due = realNow()
    .add({ hours: 24 * answerDays })
    .toString()
  await outside.tellDispute({ reference: `${code}-1`, event: 'CHARGEBACK', due, reason: 'Goods not received' })
  await until(`the dispute of ${code}`, async () => (await disputesOf(deps.db, id)).length > 0)
}

const waitingNumber = { NZ: '+64275550163', AU: '+61491571266' } as const

export async function waitsForReply(world: BusyWorld): Promise<void> {
  const { deps, market, outside } = world
  const story = { ...world, tellNetwork: outside.announceSims }
  const { service_id: service } = await buys(world, aroha, 9_104)
  if (service && (await latestPorts(deps.db, [service])).length > 0) return
  await confirms(story, aroha, deps.clock.now())
  const msisdn = waitingNumber[market.code]
  await visit(world, aroha, async ({ send }) => {
    await outside.announcePort(msisdn)
    const { providers } = await send<{ providers: { id: string }[] }>('GET', '/api/account/porting_providers/')
    const form = { msisdn, provider: providers[1]?.id, billing_method: 'account', account_number: 'AC2097152' }
    await send('POST', `/api/services/port/${service}/`, form)
    await until(`the transfer of ${aroha.email}`, () => outside.playPort({ msisdn, state: 'awaitingCustomerReply' }))
  })
}

export const mailIsRefused = async (world: BusyWorld): Promise<void> => void (await buys(world, tavita, 9_105))

export async function loadsBadFile(world: BusyWorld): Promise<void> {
  const { deps, outside, market } = world
  if ((await listLoads(deps.db, 1)).length > 0) return
  const { packs, text } = badFile(market)
  await outside.announceSims(packs.map((pack) => ({ ...pack, behaviour: 'ok' })))
  const fileName = 'sim-packs-november.csv'
  const wish = {
    actor: actorOf(await hine(world), fileName),
    fileName,
    goodOnly: false,
    dryRun: false,
    asksFirst: true,
  }
  async function* bytes() {
    yield new TextEncoder().encode(text)
  }
  for await (const news of await receiveSims(deps, bytes(), wish)) if ('loadId' in news) return
}
