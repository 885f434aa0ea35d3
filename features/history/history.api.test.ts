import { expect, test } from 'vitest'
import { toDate } from '#kit/server/clock.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { addPastCycles } from '#quality/support/past-cycles.ts'
import { buyAddOn } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const historyOf = (uuid: string): string => `/api/account/usage_history/${uuid}/`
const withPlan = () => makeSubscriber(world(), { plan: 'plan-90-25gb', card: true })
const used = (...uses: (number | null)[]) => uses.map((usedMb) => ({ usedMb }))

test('the usage history lists the cycles that have ended and the amount paid in each of the last twelve months', async () => {
  const { visitor, service } = await withPlan()
  await addPastCycles(world(), service.id, used(9_000, null, 13_000))
  const { status, body } = await visitor.get(historyOf(service.id))
  expect(status).toBe(200)
  expect(body.cycles).toMatchObject([
    { used_mb: 13_000, reading: 'known', plan: '25 GB Prepay Plan', data_gb: 25, cut_short: false, ran_out_on: null },
    { used_mb: null, reading: 'unknown' },
    { used_mb: 9_000 },
  ])
  const today = world().deps.clock.now().toZonedDateTimeISO(world().deps.market.zone).toPlainDate()
  expect(body.cycles.at(-1).last_day).toBe(today.subtract({ days: 1 }).toString())
  expect(body.months).toHaveLength(12)
  expect(body.months.at(-1)).toEqual({ month: today.toPlainYearMonth().toString(), spent: '109.65' })
  expect(body.spent).toBe('109.65')
  expect(body.months[0].month).toBe(today.toPlainYearMonth().subtract({ months: 11 }).toString())
})

test('the usage history of a new service is empty, and a request for another customer’s history gets a 404', async () => {
  const { visitor, service } = await withPlan()
  const { visitor: other } = await makeCustomer(world())
  expect((await visitor.get(historyOf(service.id))).body.cycles).toEqual([])
  expect((await other.get(historyOf(service.id))).status).toBe(404)
  expect((await visitor.get(historyOf('none'))).status).toBe(404)
})

test('customers can download their own usage history as CSV and JSON, but not anyone else’s', async () => {
  const { visitor, service } = await withPlan()
  await addPastCycles(world(), service.id, [{ usedMb: 9_000, ranOut: true }, { usedMb: null }])
  const file = (format: string, by = visitor) => by.get(`/documents/${service.id}/history.${format}`)
  const csv = await file('csv')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="history-0\d+\.csv"$/)
  const lines = String(csv.body).split('\r\n')
  expect(lines[0]).toBe('\uFEFFkind,starts_on,last_day,plan,data_gb,used_mb,ran_out_on,spent')
  expect(lines[1]).toMatch(/^cycle,[\d-]{10},[\d-]{10},25 GB Prepay Plan,25,,,$/)
  expect(lines[2]).toMatch(/^cycle,[\d-]{10},[\d-]{10},25 GB Prepay Plan,25,9000,[\d-]{10},$/)
  expect(lines[14]).toMatch(/^month,[\d-]{10},[\d-]{10},,,,,109\.65$/)
  expect(lines).toHaveLength(16)
  const json = await file('json')
  expect(json.headers.get('content-disposition')).toContain('.json"')
  expect(json.body).toEqual((await visitor.get(historyOf(service.id))).body)

  const { visitor: other } = await makeCustomer(world())
  expect((await file('csv', other)).status).toBe(404)
  expect((await file('xml')).status).toBe(404)
  const stranger = await file('csv', world().visitor())
  expect([stranger.status, stranger.headers.get('location')]).toEqual([302, `/services/${service.id}/history/`])
})

test(
  'returns plan advice, with prices from the catalogue, for each service that has enough usage history',
  { tags: ['slow'] },
  async () => {
    const customer = await makeCustomer(world(), { services: 2, plan: 'plan-90-25gb' })
    const [first, second] = customer.services
    const advice = async () => (await customer.visitor.get('/api/account/plan_advice/')).body
    expect(await advice()).toEqual({})
    await addPastCycles(world(), first!.id, used(9_200, 13_000, 11_000, 10_000, 9_800, 12_000))
    expect(await advice()).toEqual({
      [first!.id]: {
        kind: 'less',
        text:
          'You used 9 to 13 GB in each of your last 6 data cycles. ' +
          '**15 GB for 90 days would have been enough each time and costs $17.85 less.**',
        plan_id: 'plan-90-15gb',
      },
    })
    await addPastCycles(world(), second!.id, used(20_000, 21_000, 22_000))
    expect((await advice())[second!.id]).toMatchObject({ kind: 'right', plan_id: 'plan-365-25gb' })
  },
)

test(
  'plan advice considers extra data bought in the last three cycles, but not calls or roaming add-ons',
  { tags: ['slow'] },
  async () => {
    const { visitor, service } = await makeSubscriber(world(), { plan: 'plan-30-5gb', card: true })
    const cycles = [4_000, 4_500, 4_900].map((usedMb) => ({ usedMb, plan: 'plan-30-5gb' }))
    await addPastCycles(world(), service.id, cycles)
    const buy = async (product: string) => {
      const { status, body } = await buyAddOn(world(), visitor, service, { product, saved: true })
      expect(status).toBe(200)
      const at = world()
        .deps.clock.now()
        .subtract({ hours: 10 * 24 })
      // The invoice is created shortly after the response, so wait for it before backdating it.
      await pollUntil(async () => {
        const { numUpdatedRows } = await world()
          .db.updateTable('invoices')
          .set({ created_at: toDate(at) })
          .where('order_code', '=', body.order_code)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      })
    }
    const advice = async () => (await visitor.get('/api/account/plan_advice/')).body[service.id]
    for (const product of ['extra-10gb', 'calls-100', 'roam-au-7', 'roam-pacific-14']) await buy(product)
    // Over three cycles, the 15 GB plan costs $42.00 more, so it is recommended only after the second purchase of extra data.
    expect((await advice()).kind).toBe('right')
    await buy('extra-10gb')
    expect(await advice()).toEqual({
      kind: 'more',
      text: 'You bought $50.00 of extra data in your last 3 cycles. **15 GB costs $14.00 more per 30 days.**',
      plan_id: 'plan-30-15gb',
    })
  },
)
