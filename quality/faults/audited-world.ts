import { systemActor } from '#kit/server/actor.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { chargeHours, createRenewingCustomer } from '#quality/support/auto-renewal.ts'
import { createCustomerWithAllData } from '#quality/support/customer-with-all-data.ts'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { activate, portForm, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { createNextPlan } from '#quality/support/next-plan.ts'
import { plans } from '#quality/support/order-commands.ts'
import { buyAddOn, endOf, renew } from '#quality/support/purchases.ts'
import { isIdle } from '#quality/support/reconciliation.ts'
import { failNetwork, newPortableNumber, sendNotification } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, type World } from '#quality/support/world.ts'
import type { AuditRecords, CustomerPromise } from './audit-records.ts'

export type AuditWorld = { books: AuditRecords; codes: Record<Part, string> }

type Part =
  | 'card'
  | 'voucher'
  | 'transfer'
  | 'undoneCard'
  | 'undoneVoucher'
  | 'renewal'
  | 'next'
  | 'auto'
  | 'addon'
  | 'refunded'
  | 'partly'
  | 'disputed'
  | 'changed'
  | 'instead'

const price = plans['plan-30-5gb'].price

export async function createAuditedWorld(world: World): Promise<AuditWorld> {
  const customerPromises: CustomerPromise[] = []
  const tell = (told: CustomerPromise): string => {
    customerPromises.push(told)
    return told.order_code
  }
  const customer = await createCustomerWithAllData(world)
  const { email } = customer
  const next = await world.db
    .selectFrom('queued_plans')
    .innerJoin('orders', 'orders.id', 'order_id')
    .select('order_code')
    .executeTakeFirstOrThrow()
  const activation = { kind: 'activation', cents: price, said: 'delivered' } as const
  const voucherCustomer = await makeSubscriber(world)
  const codes = {
    card: tell({ ...activation, order_code: customer.service.orderCode, email, paid_with: 'card' }),
    next: tell({
      kind: 'recharge',
      cents: plans['plan-30-15gb'].price,
      said: 'delivered',
      order_code: next.order_code,
      email,
      paid_with: 'card',
    }),
    voucher: tell({
      ...activation,
      cents: 0,
      order_code: voucherCustomer.service.orderCode,
      email: voucherCustomer.email,
      paid_with: 'voucher',
    }),
    transfer: tell(await createPortedActivation(world)),
    undoneCard: tell(await createFailedActivation(world, null)),
    undoneVoucher: tell(await createFailedActivation(world, await world.newVoucher())),
    ...(await createPurchases(world, voucherCustomer, tell)),
    ...(await createRefunds(world, tell)),
    auto: await createAutoRenewal(world),
    ...(await createChangedPlan(world, tell)),
  }
  const emailChanger = await makeEmailChanger(world, { services: 1 })
  await emailChanger.ask()
  await emailChanger.pin()
  await pollUntil(async () => (await isIdle(world)) && (await isIdle(world)))
  return { books: await readAuditRecords(world, customerPromises), codes }
}

/**
 * Creates an auto-renewal whose plan has already begun, and returns its order's code. Customers hear about an auto-renewal only by email,
 * because they do not place the order themselves.
 */
async function createAutoRenewal(world: World): Promise<string> {
  const { service, expiry } = await createRenewingCustomer(world)
  const now = () => world.deps.clock.now()
  const charge = expiry.subtract({ minutes: 1 }).with({ hour: chargeHours[0], minute: 1 })
  await world.advance(now().until(charge.toInstant()).toString())
  const { order_code: code } = await pollUntil(() =>
    world.db
      .selectFrom('orders')
      .select('order_code')
      .where('service_id', '=', service.id)
      .where('auto_renewal', '=', true)
      .where('state', '=', 'completed')
      .executeTakeFirst(),
  )
  await world.advance(
    now()
      .until(expiry.add({ hours: 10 }).toInstant())
      .toString(),
  )
  return code
}

async function createChangedPlan(world: World, tell: (told: CustomerPromise) => string) {
  const queuedPlan = await createNextPlan(world)
  const told = { kind: 'recharge', said: 'delivered', email: queuedPlan.customer.email, paid_with: 'card' } as const
  const { body } = await endOf(queuedPlan.customer.visitor, queuedPlan.change())
  return {
    changed: tell({ ...told, cents: plans['plan-30-15gb'].price, order_code: queuedPlan.orderCode }),
    instead: tell({ ...told, cents: 5610, order_code: body.order_code }),
  }
}

async function createPortedActivation(world: World): Promise<CustomerPromise> {
  const portableNumber = await newPortableNumber(world)
  const { email, orderCode } = await activate(world, { port: portForm(portableNumber) })
  await world.advance('PT5H')
  await pollUntil(() =>
    world.db.selectFrom('services').select('id').where('msisdn', '=', portableNumber).executeTakeFirst(),
  )
  return { kind: 'activation', cents: price, said: 'delivered', order_code: orderCode, email, paid_with: 'card' }
}

async function createFailedActivation(world: World, voucher: string | null): Promise<CustomerPromise> {
  const email = newEmail()
  const wizardVisitor = await advanceWizardTo(world, 'PAYMENT', { email, ...(voucher && { voucher }) })
  await failNetwork(world, { operation: 'activate', kind: 'fail_permanent' })
  await wizardVisitor.pay()
  const { order_code: code } = await wizardVisitor.arriveAt('PERMANENTLY_FAILED')
  const cents = voucher ? 0 : price
  return {
    kind: 'activation',
    cents,
    said: 'failed',
    order_code: code ?? '',
    email,
    paid_with: voucher ? 'voucher' : 'card',
  }
}

async function createPurchases(
  world: World,
  { visitor, service, email }: Subscriber,
  tell: (told: CustomerPromise) => string,
) {
  const said = 'delivered'
  const renewal = await endOf(visitor, renew(world, visitor, service))
  const addon = await endOf(visitor, buyAddOn(world, visitor, service))
  return {
    renewal: tell({
      kind: 'recharge',
      cents: 3600,
      said,
      order_code: renewal.body.order_code,
      email,
      paid_with: 'card',
    }),
    addon: tell({ kind: 'addon', cents: 1000, said, order_code: addon.body.order_code, email, paid_with: 'card' }),
  }
}

async function createRefunds(world: World, tell: (told: CustomerPromise) => string) {
  const buy = async () => {
    const { email, orderCode } = await activate(world)
    return tell({
      kind: 'activation',
      cents: price,
      said: 'delivered',
      order_code: orderCode,
      email,
      paid_with: 'card',
    })
  }
  const [refunded, partly, disputed] = [await buy(), await buy(), await buy()]
  for (const [code, amountCents] of [
    [refunded, price],
    [partly, 700],
  ] as const) {
    await refundOrder(world.deps, code, systemActor, { amountCents })
    tell({ kind: 'refund', cents: amountCents, said: 'accepted', order_code: code, email: '', paid_with: 'card' })
  }
  await sendNotification(world, {
    eventCode: 'NOTIFICATION_OF_CHARGEBACK',
    merchantReference: `${disputed}-1`,
    pspReference: `D${disputed}`,
    amount: { value: price, currency: 'NZD' },
  })
  return { refunded, partly, disputed }
}

async function readAuditRecords(world: World, promised: CustomerPromise[]): Promise<AuditRecords> {
  const came = await world.db.selectFrom('demo_messages').selectAll().execute()
  const each = came.flatMap((message) => Array.from({ length: message.deliveries }, () => message))
  return {
    db: world.db,
    ...(await world.ledgers()),
    mails: each.flatMap(({ channel, recipient: to, message_id, subject }) =>
      channel === 'email' ? { to, message_id, subject } : [],
    ),
    texts: each.flatMap(({ channel, recipient: to, message_id: id, body_text: text }) =>
      channel === 'sms' ? { to, id, text } : [],
    ),
    promised,
  }
}
