import { countErrorOccurrence } from '#features/error-reports/server/error-reports.store.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { realNow } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { buildChangedCatalogue } from '#quality/support/catalogue-file.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { headerLine, formatPack, createSimStock, formatPacks } from '#quality/support/sim-stock.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { World } from '#quality/support/world.ts'
import { aTask, requestedRefund, deliveredOrder, held, refundedOrder } from './desk-people.ts'
import { staffVisitors, post } from './desk-screen.ts'
import { once } from './screen.ts'

export const deskWithManyTasks = once(async (world) => {
  for (const make of [deliveredOrder, refundedOrder, held]) await make({ world })
  const code = await requestedRefund({ world })
  const jo = await staffVisitors.admin({ world })
  await post(jo, 'stock/batches/', batch)
  await aTask(world, code, 'Taken at the gateway and not in our books, $22.00')
  await createTask(world.db, { kind: 'dispute', reason: 'Chargeback, $43.00: not mine', subject: 'odd' })
  for (const [index, subject] of taskSubjects.entries())
    await createTask(world.db, {
      kind: 'finding',
      reason: `${subject}, found by the nightly check`,
      subject: `${subject} ${index}`,
    })
  const { tasks } = (await (await staffVisitors.support({ world })).get('/api/desk/tasks/')).body
  await post(await staffVisitors.support({ world }), `tasks/${tasks[1].id}/take/`)
  await post(await staffVisitors.lead({ world }), `tasks/${tasks[2].id}/take/`)
  await simulateSlowServices(world)
})

const taskSubjects = Array.from({ length: 9 }, (_, n) => `Transfer ${n + 1} has a different state on the network`)
const batch = { count: '200', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }

async function simulateSlowServices({ db }: World): Promise<void> {
  const now = Math.floor(realNow().epochMilliseconds / 60_000) * 60_000
  const services = ['card_gateway', 'mobile_network', 'mail', 'sms'] as const
  const rows = services.flatMap((provider) =>
    Array.from({ length: 47 }, (_, half) => {
      const isBad = provider === 'mobile_network' && half < 2
      const periodStart = new Date(now - (half + 1) * 1_800_000)
      return {
        minute: periodStart,
        provider,
        ok: 120,
        failed: isBad ? 40 : 0,
        slow: half === 9 ? 30 : 0,
        p95_ms: isBad ? 4_100 : 240,
      }
    }),
  )
  await db
    .insertInto('provider_minutes')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .updateTable('outages')
    .set({ failing_since: new Date(now - 1_800_000), failures: 21, last_failure_at: new Date(now) })
    .where('service', '=', 'mobile_network')
    .execute()
}

export const supportInvitation = once((world) => inviteStaff(world, { roles: ['support'] }))

export const findableCustomer = once((world) => makeCustomer(world, { services: 2, card: true, last_name: 'Tamihana' }))

export const reportedErrors = once(async (world) => {
  await simulateSlowServices(world)
  await post(await staffVisitors.support({ world }), 'notices/', { kind: 'network', hours: '2' })
  await transact(world.db, (trx) => countErrorOccurrence(trx, browserErrorRow))
})

const browserErrorRow = {
  fingerprint: 'of-screens',
  kind: 'error',
  name: 'TypeError',
  message: 'Cannot read properties of null (reading ‘left’)',
  top_frame: 'at gaugeOf (/assets/dashboard.page-Dk3f9a.js:12:4711)',
  page: '/services/:service/',
  build: '0.1.0',
} as const

type Sent = { id: string }

export const checkedSimFile = once(async (world) => {
  const createPack = createSimStock(world.deps.market.code)
  const lines = Array.from({ length: 60 }, (_, n) => {
    const pack = createPack(n)
    if (n % 12 === 5) return formatPack({ ...pack, iccid: `${pack.iccid.slice(0, 12)}O${pack.iccid.slice(13)}` })
    if (n % 20 === 7) return formatPack({ ...pack, msisdn: '09 555 0142' })
    if (n % 20 === 11) return formatPack({ ...pack, iccid: createPack(1).iccid })
    return formatPack(pack)
  })
  return send(world, 'sim-packs-christchurch.csv', `${[headerLine, ...lines].join('\n')}\n`, 'waiting')
})

export const loadedSimFile = once(async (world) => {
  const createSimPack = createSimStock(world.deps.market.code)
  const sent = await send(
    world,
    'wellington-7.csv',
    formatPacks(Array.from({ length: 40 }, (_, n) => createSimPack(n))),
    'waiting',
  )
  await post(await staffVisitors.admin({ world }), `stock/loads/${sent.id}/decide/`, { decision: 'good' })
  await waitForLoadState(world, sent, 'loaded')
  return sent
})

async function send(world: World, name: string, body: string, ...states: string[]): Promise<Sent> {
  const jo = await staffVisitors.admin({ world })
  const token = new Map(jo.cookies()).get('desk_csrf') ?? ''
  const headers = { 'content-type': 'text/csv', 'x-csrftoken': token }
  const sent = await jo.send('POST', `/api/desk/stock/loads/?name=${name}`, { body, headers })
  if (sent.status !== 200) throw new Error(`the file was answered ${sent.status}: ${JSON.stringify(sent.body)}`)
  await waitForLoadState(world, sent.body, ...states)
  return sent.body
}

async function waitForLoadState(world: World, { id }: Sent, ...states: string[]): Promise<void> {
  const jo = await staffVisitors.admin({ world })
  await pollUntil(async () => states.includes((await jo.get(`/api/desk/stock/loads/${id}/`)).body.load?.state))
}

const createBatch = async (world: World, decision?: 'approved' | 'refused'): Promise<Sent> => {
  const sent = await post(await staffVisitors.admin({ world }), 'stock/batches/', batch)
  if (!decision) return sent
  const mere = await staffVisitors.lead({ world })
  const { to_decide: waiting } = (await mere.get('/api/desk/approvals/')).body
  const own = waiting.find((approval: object) => JSON.stringify(approval).includes(sent.id))
  await post(mere, `approvals/${own.id}/decide/`, {
    decision,
    words: decision === 'refused' ? 'Too many at once.' : '',
  })
  return sent
}
export const approvedBatch = once((world) => createBatch(world, 'approved'))
export const refusedBatch = once((world) => createBatch(world, 'refused'))
export const asked = once((world) => createBatch(world))

export const completedBatch = once(async (world) => {
  const { id } = await createBatch(world, 'approved')
  const jo = await staffVisitors.admin({ world })
  await jo.post(`/api/desk/stock/batches/${id}/codes/`)
  await post(jo, `stock/batches/${id}/arrived/`, { count: 200 })
  return { id }
})

export const priceRiseDraft = once(async (world) => {
  await activate(world)
  const jo = await staffVisitors.admin({ world })
  const text = await buildChangedCatalogue(jo, { price_cents: 2_400, price_rebill_cents: 2_300 })
  const { number } = await post(jo, 'catalogue/drafts/', { name: 'catalogue.json', text })
  return number as number
})

export const unchangedDraft = once(
  async (world) => (await post(await staffVisitors.admin({ world }), 'catalogue/drafts/folder/')).number as number,
)
