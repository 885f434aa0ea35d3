import { countError } from '#features/error-reports/server/error-reports.store.ts'
import { reportToOperator } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { realNow } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { changedCatalogue } from '#quality/support/catalogue-file.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { activate } from '#quality/support/journey.ts'
import { header, lineOf, newStock, textOf } from '#quality/support/sim-stock.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
import { until } from '#quality/support/until.ts'
import type { World } from '#quality/support/world.ts'
import { aTask, askedFor, delivered, held, refunded } from './desk-people.ts'
import { member, post } from './desk-ways.ts'
import { once } from './screen.ts'

export const busyDay = once(async (world) => {
  for (const make of [delivered, refunded, held]) await make({ world })
  const code = await askedFor({ world })
  const jo = await member.admin({ world })
  await post(jo, 'stock/batches/', batch)
  await aTask(world, code, 'Taken at the gateway and not in our books, $22.00')
  await reportToOperator(world.db, { kind: 'dispute', reason: 'Chargeback, $43.00: not mine', subject: 'odd' })
  for (const [index, subject] of subjects.entries())
    await reportToOperator(world.db, {
      kind: 'finding',
      reason: `${subject}, as it was found`,
      subject: `${subject} ${index}`,
    })
  const { tasks } = (await (await member.support({ world })).get('/api/desk/tasks/')).body
  await post(await member.support({ world }), `tasks/${tasks[1].id}/take/`)
  await post(await member.lead({ world }), `tasks/${tasks[2].id}/take/`)
  await slowServices(world)
})

const subjects = Array.from({ length: 9 }, (_, n) => `Transfer ${n + 1} is not where the network says`)
const batch = { count: '200', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }

async function slowServices({ db }: World): Promise<void> {
  const now = Math.floor(realNow().epochMilliseconds / 60_000) * 60_000
  const services = ['card_gateway', 'mobile_network', 'mail', 'sms'] as const
  const rows = services.flatMap((provider) =>
    Array.from({ length: 47 }, (_, half) => {
      const isBad = provider === 'mobile_network' && half < 2
      const minute = new Date(now - (half + 1) * 1_800_000)
      return {
        minute,
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

export const invited = once((world) => inviteStaff(world, { roles: ['support'] }))

export const findable = once((world) => makeCustomer(world, { services: 2, card: true, last_name: 'Tamihana' }))

export const troubled = once(async (world) => {
  await slowServices(world)
  await post(await member.support({ world }), 'notices/', { kind: 'network', hours: '2' })
  await transact(world.db, (trx) => countError(trx, aBrowserError))
})

const aBrowserError = {
  fingerprint: 'of-screens',
  kind: 'error',
  name: 'TypeError',
  message: 'Cannot read properties of null (reading ‘left’)',
  top_frame: 'at gaugeOf (/assets/dashboard.page-Dk3f9a.js:12:4711)',
  page: '/services/:service/',
  build: '0.1.0',
} as const

type Sent = { id: string }

export const checked = once(async (world) => {
  const packOf = newStock(world.deps.market.code)
  const lines = Array.from({ length: 60 }, (_, n) => {
    const pack = packOf(n)
    if (n % 12 === 5) return lineOf({ ...pack, iccid: `${pack.iccid.slice(0, 12)}O${pack.iccid.slice(13)}` })
    if (n % 20 === 7) return lineOf({ ...pack, msisdn: '09 555 0142' })
    if (n % 20 === 11) return lineOf({ ...pack, iccid: packOf(1).iccid })
    return lineOf(pack)
  })
  return send(world, 'sim-packs-christchurch.csv', `${[header, ...lines].join('\n')}\n`, 'waiting')
})

export const loaded = once(async (world) => {
  const packOf = newStock(world.deps.market.code)
  const sent = await send(world, 'wellington-7.csv', textOf(Array.from({ length: 40 }, (_, n) => packOf(n))), 'waiting')
  await post(await member.admin({ world }), `stock/loads/${sent.id}/decide/`, { decision: 'good' })
  await comesTo(world, sent, 'loaded')
  return sent
})

async function send(world: World, name: string, body: string, ...states: string[]): Promise<Sent> {
  const jo = await member.admin({ world })
  const token = new Map(jo.cookies()).get('desk_csrf') ?? ''
  const headers = { 'content-type': 'text/csv', 'x-csrftoken': token }
  const sent = await jo.send('POST', `/api/desk/stock/loads/?name=${name}`, { body, headers })
  if (sent.status !== 200) throw new Error(`the file was answered ${sent.status}: ${JSON.stringify(sent.body)}`)
  await comesTo(world, sent.body, ...states)
  return sent.body
}

async function comesTo(world: World, { id }: Sent, ...states: string[]): Promise<void> {
  const jo = await member.admin({ world })
  await until(async () => states.includes((await jo.get(`/api/desk/stock/loads/${id}/`)).body.load?.state))
}

const aBatch = async (world: World, decision?: 'approved' | 'refused'): Promise<Sent> => {
  const sent = await post(await member.admin({ world }), 'stock/batches/', batch)
  if (!decision) return sent
  const mere = await member.lead({ world })
  const { to_decide: waiting } = (await mere.get('/api/desk/approvals/')).body
  const own = waiting.find((approval: object) => JSON.stringify(approval).includes(sent.id))
  await post(mere, `approvals/${own.id}/decide/`, {
    decision,
    words: decision === 'refused' ? 'Too many.' : '',
  })
  return sent
}
export const approved = once((world) => aBatch(world, 'approved'))
export const refusedBatch = once((world) => aBatch(world, 'refused'))
export const asked = once((world) => aBatch(world))

export const complete = once(async (world) => {
  const { id } = await aBatch(world, 'approved')
  const jo = await member.admin({ world })
  await jo.post(`/api/desk/stock/batches/${id}/codes/`)
  await post(jo, `stock/batches/${id}/arrived/`, { count: 200 })
  return { id }
})

export const dearer = once(async (world) => {
  await activate(world)
  const jo = await member.admin({ world })
  const text = await changedCatalogue(jo, { price_cents: 2_400, price_rebill_cents: 2_300 })
  const { number } = await post(jo, 'catalogue/drafts/', { name: 'catalogue.json', text })
  return number as number
})

export const unchanged = once(
  async (world) => (await post(await member.admin({ world }), 'catalogue/drafts/folder/')).number as number,
)
