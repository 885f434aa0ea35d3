import type { FastifyInstance } from 'fastify'
import type { Market } from '#kit/contract/bootstrap.ts'
import { realNow } from '#kit/server/clock.ts'
import type { Deps } from '#app/deps.ts'
import { listOrderDisputes } from '#features/disputes/server/disputes.store.ts'
import { findOrderByCode, type Order } from '#features/orders/server/orders.store.ts'
import { findLatestPorts } from '#features/porting/server/porting.store.ts'
import { listSimLoads } from '#features/stock/server/sim-loads.store.ts'
import { importSims } from '#features/stock/server/sim-import.ts'
import { findLastApproval } from '#desk/features/approvals/server/approvals.store.ts'
import { requestRefundApproval } from '#desk/features/orders/server/refund-order.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { fileWithBadLines } from './file-with-bad-lines.ts'
import { fullMailboxDomain } from './mailbox.ts'
import type { DemoSimulators } from './demo-simulators.ts'
import { readDemoStaff } from './staff.ts'
import { simPack } from './stock.ts'
import { activatePlan, confirmEmailAddress, type Customer } from './story.ts'
import { pollUntil } from './poll-until.ts'
import { withLoggedInVisitor } from './visitor.ts'

export type StaffWorkContext = { app: FastifyInstance; deps: Deps; market: Market; outside: DemoSimulators }

// These customers use SIM packs with higher positions than those of the other demo customers.
const kiri = createDemoCustomer('kiri@customer.example', 'Kiri Aperahama')
const rewi = createDemoCustomer('rewi@customer.example', 'Rewi Parata')
const lucy = createDemoCustomer('lucy@customer.example', 'Lucy Chen')
const aroha = createDemoCustomer('aroha@customer.example', 'Aroha Simmons')
const fullMailboxCustomer = createDemoCustomer(`tavita@${fullMailboxDomain}`, 'Tavita Leota')

function createDemoCustomer(email: string, full_name: string): Customer {
  return { email, full_name, password: 'kereru-2-tui' }
}

async function buyPlan(world: StaffWorkContext, who: Customer, pack: number): Promise<Order> {
  const { deps, outside, market } = world
  await activatePlan(pack, 'usual')({ ...world, tellNetwork: outside.announceSims }, who, deps.clock.now())
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

async function findSupportMember({ deps: { db } }: StaffWorkContext): Promise<SignedInStaff> {
  const [staffMember] = await readDemoStaff(db)
  if (!staffMember) throw new Error('the demo has no staff')
  const { id, name, email, roles, is_lead: isLead } = staffMember
  const shownAt = new Date(realNow().epochMilliseconds)
  const passkeyFields = { passkeys: 0, passkeyCountsFrom: null, isPasskeyOldEnough: true }
  return { id, name, email, roles, isLead, ...passkeyFields, sessionId: '', shownAt }
}

export async function createFailedCapture(world: StaffWorkContext): Promise<void> {
  const { iccid } = simPack(9_101, world.market)
  const packOrderQuery = world.deps.db.selectFrom('sim_packs').select('order_id').where('iccid', '=', iccid)
  if (!(await packOrderQuery.executeTakeFirst())?.order_id) await world.outside.refuseNextCapture()
  await buyPlan(world, rewi, 9_101)
}

export async function requestApproval(world: StaffWorkContext): Promise<void> {
  const { deps } = world
  const { order_code: code, amount_cents: amount } = await buyPlan(world, kiri, 9_102)
  const last = await findLastApproval(deps.db, 'refund', code)
  const expiresAt = last?.decision === null ? last.lapses_at.getTime() : Infinity
  if (last && last.decision !== 'lapsed' && expiresAt > realNow().epochMilliseconds) return
  const note = 'The customer meant to renew, but activated a second SIM.'
  await requestRefundApproval(deps, await findSupportMember(world), {
    code,
    amount,
    left: amount,
    reason: 'bought-twice',
    note,
  })
}

const disputeDays = 13

export async function openDispute(world: StaffWorkContext): Promise<void> {
  const { deps, outside } = world
  const { id, order_code: code } = await buyPlan(world, lucy, 9_103)
  if ((await listOrderDisputes(deps.db, id)).length > 0) return
  const due = realNow()
    .add({ hours: 24 * disputeDays })
    .toString()
  await outside.tellDispute({ reference: `${code}-1`, event: 'CHARGEBACK', due, reason: 'Goods not received' })
  await pollUntil(`the dispute of ${code}`, async () => (await listOrderDisputes(deps.db, id)).length > 0)
}

const waitingTransferNumber = { NZ: '+64275550163', AU: '+61491571266' } as const

export async function startWaitingTransfer(world: StaffWorkContext): Promise<void> {
  const { deps, market, outside } = world
  const story = { ...world, tellNetwork: outside.announceSims }
  const { service_id: service } = await buyPlan(world, aroha, 9_104)
  if (service && (await findLatestPorts(deps.db, [service])).length > 0) return
  await confirmEmailAddress(story, aroha, deps.clock.now())
  const msisdn = waitingTransferNumber[market.code]
  await withLoggedInVisitor(world, aroha, async ({ send }) => {
    await outside.announcePort(msisdn)
    const { providers } = await send<{ providers: { id: string }[] }>('GET', '/api/account/porting_providers/')
    const form = { msisdn, provider: providers[1]?.id, billing_method: 'account', account_number: 'AC2097152' }
    await send('POST', `/api/services/port/${service}/`, form)
    await pollUntil(`the transfer of ${aroha.email}`, () =>
      outside.playPort({ msisdn, state: 'awaitingCustomerReply' }),
    )
  })
}

export const createUndeliverableMail = async (world: StaffWorkContext): Promise<void> =>
  void (await buyPlan(world, fullMailboxCustomer, 9_105))

export async function importBadSimFile(world: StaffWorkContext): Promise<void> {
  const { deps, outside, market } = world
  if ((await listSimLoads(deps.db, 1)).length > 0) return
  const { packs, text } = fileWithBadLines(market)
  await outside.announceSims(packs.map((pack) => ({ ...pack, behaviour: 'ok' })))
  const fileName = 'sim-packs-november.csv'
  const importOptions = {
    actor: toStaffActor(await findSupportMember(world), fileName),
    fileName,
    goodOnly: false,
    dryRun: false,
    requiresConfirmation: true,
  }
  async function* bytes() {
    yield new TextEncoder().encode(text)
  }
  for await (const news of await importSims(deps, bytes(), importOptions)) if ('loadId' in news) return
}
