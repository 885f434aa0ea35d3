import { afterEach, beforeEach, expect, test } from 'vitest'
import { centsToDecimal } from '#kit/contract/money.ts'
import { advanceWizardTo, type WizardVisitor } from '#quality/support/activation-journey.ts'
import { findFaultsWhenIdle } from '#quality/support/reconciliation.ts'
import { setWebhookMode } from '#quality/support/simulators.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
beforeEach(() => setWebhookMode(world(), { mode: 'normal' }))
afterEach(() => setPrice(2200))

const setPrice = (price_cents: number) =>
  world().db.updateTable('products').set({ price_cents }).where('unique_id', '=', 'plan-30-5gb').execute()
const ordersOf = ({ sim }: WizardVisitor) =>
  world().db.selectFrom('orders').select('amount_cents').where('iccid', '=', sim.iccid).execute()

async function whilePricesChange(act: () => Promise<unknown>): Promise<void> {
  const change = async () => {
    for (let turn = 0; turn < 40; turn++) await setPrice(turn % 2 === 0 ? 2900 : 2200)
  }
  await Promise.all([act(), change()])
}

test('while prices change, the customer is either charged the expected total or gets an error', async () => {
  const travellers = await Promise.all(Array.from({ length: 12 }, () => advanceWizardTo(world(), 'PAYMENT')))
  await whilePricesChange(() =>
    Promise.all(
      travellers.map(async (traveller, index) => {
        const [shown, other] = index % 2 === 0 ? [2200, 2900] : [2900, 2200]
        const { status, body } = await traveller.pay({ body: { expected_total: centsToDecimal(shown) } })
        // A 202 response also means that an order exists: on a busy machine, the bank may take a while to decide.
        const isTaken = status < 300
        expect(isTaken || { status, body }).toEqual(isTaken || { status: 409, body: { total: centsToDecimal(other) } })
        expect(await ordersOf(traveller)).toEqual(isTaken ? [{ amount_cents: shown }] : [])
      }),
    ),
  )
})

test('requests with the same idempotency key but different totals create a single order', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const press = (shown: string) => traveller.pay({ key: 'one', body: { expected_total: shown } })
  await whilePricesChange(async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => press(n % 2 === 0 ? '22.00' : '29.00')))
    expect(answers.filter(({ status }) => status >= 300 && status !== 409)).toEqual([])
  })
  await press('29.00')
  await press('22.00')
  const orders = await ordersOf(traveller)
  expect(orders).toHaveLength(1)
  expect([2200, 2900]).toContain(orders[0]?.amount_cents)
  for (const shown of ['22.00', '29.00', '0.01']) expect((await press(shown)).status).toBeLessThan(300)
})

test('our records match the gateway’s and the network’s after payments during price changes', async () =>
  expect(await findFaultsWhenIdle(world())).toEqual([]))
