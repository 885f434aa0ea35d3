import { describe, expect, test } from 'vitest'
import { countLimitUse, readLimitUse } from '#kit/server/limits.ts'
import { activationEmailLimit } from '#features/orders/server/activation-limit.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { resumeOrder } from '#quality/support/purchases.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()

const used = async (email: string) => (await readLimitUse(world().db, activationEmailLimit(email))).used
async function use(email: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await countLimitUse(world().db, [activationEmailLimit(email)])
}
const charges = async () => (await world().ledgers()).gateway.length
const ordersOf = (email: string) => world().db.selectFrom('orders').select('state').where('email', '=', email).execute()

describe('the limit of 100 paid activations an hour per email address', () => {
  test('accepts the 100th activation in an hour, answers 429 to the next one, and leaves its SIM pack unused', async () => {
    const [email, sim] = [newEmail(), await world().newSim()]
    await use(email, 99)
    const [last, surplus] = [
      await advanceWizardTo(world(), 'PAYMENT', { email }),
      await advanceWizardTo(world(), 'PAYMENT', { email, sim }),
    ]
    expect((await last.pay()).status).toBe(200)
    await last.arriveAt('SUCCESSFUL')
    const before = await charges()
    const refused = await surplus.pay()
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.toSatisfy((n) => n > 0)])
    expect(await charges()).toBe(before)
    expect(await ordersOf(email)).toHaveLength(1)
    expect((await surplus.look()).state).toBe('PAYMENT')
    const other = await advanceWizardTo(world(), 'PAYMENT', { sim })
    expect((await other.pay()).status).toBe(200)
  })

  test('activations paid for with a voucher count towards the limit, and a rejected activation leaves its voucher unused', async () => {
    const [email, voucher] = [newEmail(), await world().newVoucher()]
    await use(email, 100)
    expect((await (await advanceWizardTo(world(), 'PAYMENT', { email, voucher })).pay()).status).toBe(429)
    const other = await advanceWizardTo(world(), 'PAYMENT', { voucher })
    expect((await other.pay()).status).toBe(200)
    expect(await used(other.email)).toBe(1)
  })

  test('a signed-in customer’s activations count towards the limit for their own email address', async () => {
    const { visitor, email } = await makeCustomer(world())
    await use(email, 100)
    await visitor.post('/api/activate/sim/', { ...(await world().newSim()), setup_porting: false })
    await visitor.post('/api/activate/method/', { method: 'payment' })
    await visitor.post('/api/activate/plan/', { plan: 'plan-30-5gb' })
    const payment = { payment_method: '1', use_saved_card: false, adyen_encrypted: world().card() }
    expect((await visitor.post('/api/activate/pay/', payment)).status).toBe(429)
  })
})

describe('activations without a successful payment', () => {
  test('the steps before the payment do not count towards the activation limit', async () => {
    const email = newEmail()
    await advanceWizardTo(world(), 'PAYMENT', { email })
    expect(await used(email)).toBe(0)
  })

  test('a payment that is refused immediately does not count towards the activation limit', async () => {
    const traveller = await advanceWizardTo(world(), 'PAYMENT')
    expect((await traveller.pay({ holder: 'DECLINED' })).status).toBe(400)
    expect(await used(traveller.email)).toBe(0)
    expect((await traveller.pay()).status).toBe(200)
    expect(await used(traveller.email)).toBe(1)
  })

  test(
    'a payment counts towards the activation limit while its outcome is unknown, but not once it has been refused',
    { tags: ['slow'], timeout: 90_000 },
    async () => {
      const traveller = await advanceWizardTo(world(), 'PAYMENT')
      const { status, body } = await traveller.pay({ holder: 'PENDING_DECLINED' })
      expect([status, await used(traveller.email)]).toEqual([202, 1])
      await resumeOrder(traveller.visitor, body.order_code)
      await pollUntil(async () => (await used(traveller.email)) === 0, { withinMs: 60_000 })
    },
  )
})

test('repeated payment requests with the same idempotency key count once towards the activation limit', async () => {
  const traveller = await advanceWizardTo(world(), 'PAYMENT')
  const key = crypto.randomUUID()
  await Promise.all([traveller.pay({ key }), traveller.pay({ key }), traveller.pay({ key })])
  expect(await used(traveller.email)).toBe(1)
})
