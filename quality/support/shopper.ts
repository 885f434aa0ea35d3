import { expect } from 'vitest'
import { systemActor } from '#kit/server/actor.ts'
import { toDate } from '#kit/server/clock.ts'
import { refundOrder } from '#features/refunds/server/refunds.ts'
import { isPlanQueued } from '#features/services/server/queued-plans.store.ts'
import { zone } from './auto-renewal.ts'
import { type CustomerService, makeCustomer } from './customer.ts'
import { advanceWizardTo } from './activation-journey.ts'
import { type Command, plans } from './order-commands.ts'
import {
  endOf,
  noFailures,
  listPendingPurchases,
  isCancellable,
  isRefusal,
  type Model,
  advanceDays,
  pends,
} from './order-model.ts'
import { cancelNextPlan } from './next-plan.ts'
import { resumeOrder } from './purchases.ts'
import { failGateway, failNetwork, setNetworkEvents, setWebhookMode } from './simulators.ts'
import { pollUntil } from './poll-until.ts'
import { newEmail, type World } from './world.ts'
import {
  firstPlanId,
  clearModelPlan,
  recordCancelledPlans,
  readOrderByCode,
  type ShoppingState,
  today,
} from './shopping-state.ts'
import { hear, press, submitPurchase } from './shopper-purchases.ts'
import { calm } from './shopper-checks.ts'
import { requestTransfer, cancelTransfer, applyDonorResponse, expireTransfer } from './shopper-transfers.ts'

type Shopper = { obey(command: Command): Promise<void> }

export async function createShopper(world: World): Promise<Shopper> {
  const { db, deps } = world
  const since = toDate(deps.clock.now())
  await db.deleteFrom('rate_limits').execute()
  const customer = await makeCustomer(world, { card: true, plan: firstPlanId })
  const [service] = customer.services as [CustomerService]
  const model: Model = {
    purchases: [],
    life: {
      product: firstPlanId,
      ends: deps.clock.now().toZonedDateTimeISO(zone).toPlainDate().add({ days: plans[firstPlanId].days }),
      auto: false,
      queued: null,
    },
    charged: [],
    waiting: null,
    cancelled: [],
    transfer: { is: 'none', number: null, tries: 0 },
    failures: noFailures,
  }
  model.purchases.push({
    code: service.orderCode,
    kind: 'activation',
    price: plans[firstPlanId].price,
    told: 'through',
    must: 'through',
    pends: false,
    plan: firstPlanId,
    voucher: null,
    isRefunded: false,
    starts: 'now',
    isCancelled: false,
    insteadOf: null,
  })
  const shoppingState: ShoppingState = { world, customer, service, model, since, last: null }

  return {
    async obey(command) {
      if (isRefusal(command)) {
        addFailures(model, { refuses: true })
        // The failure may hit an order that is already under way instead of the next purchase.
        for (const open of listPendingPurchases(model)) if (open.must === 'through') open.must = null
      }
      await (commandHandlers[command.do] as (shopping: ShoppingState, given: Command) => Promise<void>)(
        shoppingState,
        command,
      )
    },
  }
}

const commandHandlers: {
  [D in Command['do']]: (shopping: ShoppingState, command: Extract<Command, { do: D }>) => Promise<void>
} = {
  renew: submitPurchase,
  addOn: submitPurchase,
  async pressAgain(shopping) {
    if (shopping.last) await press(shopping, shopping.last)
  },
  async resume(shopping) {
    const open = listPendingPurchases(shopping.model).findLast(({ kind }) => kind !== 'activation')
    if (open) hear(shopping, open, await resumeOrder(shopping.customer.visitor, open.code))
  },
  activate: activateOtherCustomer,
  async autoRenewal(shopping, { on }) {
    const { customer, service, model } = shopping
    const { status } = await customer.visitor.send(
      on ? 'PUT' : 'DELETE',
      `/api/services/auto_renew/${service.id}/${service.shortId}/`,
      { headers: { 'x-csrftoken': customer.visitor.cookie('csrftoken') ?? '' } },
    )
    const { life } = model
    if (!life) return expect([200, 400, 404]).toContain(status)
    const left = today(shopping).until(life.ends).days
    expect(status).toBe(left <= -50 ? 404 : on && left <= 0 ? 400 : 200)
    if (status === 200) life.auto = on
  },
  refund: refundPurchase,
  cancelNext: applyNextPlanCancellation,
  transfer: requestTransfer,
  donor: (shopping, { says }) => applyDonorResponse(shopping, says),
  callOff: cancelTransfer,
  async time(shopping, { days }) {
    const { world, model } = shopping
    const opens = listPendingPurchases(model)
    if (opens.length > 0) addFailures(model, { isLate: true })
    if (opens.length > 0 || (model.failures.hasFailures && model.life?.auto)) clearModelPlan(model)
    // After several days, Fantail may have given up on a request that was only delayed.
    for (const open of opens) if (open.must === 'through') open.must = null
    await expireTransfer(shopping)
    advanceDays(model, today(shopping), days)
    await world.advance(`P${days}D`)
  },
  async failGateway({ world, model }, { failure }) {
    await failGateway(world, failure)
    addFailures(model, { hasFailures: true })
  },
  async failNetwork({ world, model }, { failure }) {
    await failNetwork(world, failure)
    addFailures(model, { hasFailures: true })
  },
  async webhooks({ world, model }, { mode }) {
    await setWebhookMode(world, { mode })
    // The dropped notification may be the one that would have decided a pending payment.
    if (mode === 'drop') for (const open of listPendingPurchases(model)) if (open.pends) open.must = null
    addFailures(model, { hasFailures: true, drops: mode === 'drop' || model.failures.drops })
  },
  async networkEvents({ world, model }, { mode }) {
    await setNetworkEvents(world, { mode })
    addFailures(model, { hasFailures: true })
  },
  calm,
}

const addFailures = (model: Model, change: Partial<Model['failures']>) =>
  (model.failures = { ...model.failures, ...change })

async function activateOtherCustomer(
  { world, model }: ShoppingState,
  { source }: Extract<Command, { do: 'activate' }>,
): Promise<void> {
  const voucher = source.by === 'voucher' ? await world.newVoucher('plan-30-5gb') : null
  const email = newEmail()
  const holder = source.by === 'card' ? source.holder : ''
  const wizardVisitor = await advanceWizardTo(world, 'PAYMENT', { email, ...(voucher && { voucher }) })
  await wizardVisitor.pay(holder ? { holder } : {})
  const order = await world.db.selectFrom('orders').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  model.purchases.push({
    code: order.order_code,
    kind: 'activation',
    price: voucher ? 0 : 2200,
    told: 'unknown',
    must: endOf(holder, model.failures),
    pends: pends(holder),
    plan: null,
    voucher,
    isRefunded: false,
    starts: 'now',
    isCancelled: false,
    insteadOf: null,
  })
}

async function applyNextPlanCancellation(shopping: ShoppingState): Promise<void> {
  const { customer, service, model } = shopping
  const { waiting } = model
  // Wait until the order is completed, which happens shortly after it is delivered.
  if (waiting) await pollUntil(async () => (await readOrderByCode(shopping, waiting.code)).state !== 'finishing')
  const may = isCancellable(model, today(shopping))
  const { status } = await cancelNextPlan({ customer, service })
  if (may !== null) expect([may, status]).toEqual([may, may ? 200 : 400])
  else expect([200, 400, 404]).toContain(status)
  if (status === 200) await recordCancelledPlans(shopping)
}

async function refundPurchase(shopping: ShoppingState, { which }: Extract<Command, { do: 'refund' }>): Promise<void> {
  const { world, model } = shopping
  const purchase = model.purchases[which % model.purchases.length]
  if (!purchase) return
  // Wait until the order is completed, which happens shortly after it is delivered.
  await pollUntil(async () => !['finishing'].includes((await readOrderByCode(shopping, purchase.code)).state))
  const order = await readOrderByCode(shopping, purchase.code)
  const isPlanWaiting = await isPlanQueued(world.db, order.id)
  const { outcome } = await refundOrder(world.deps, purchase.code, systemActor)
  const isRefundable = order.state === 'completed' && purchase.price > 0 && !purchase.isRefunded && !isPlanWaiting
  if (!isRefundable && order.state === 'completed') expect(outcome).toBe('impossible')
  else if (isRefundable) expect(model.failures.hasFailures ? ['received', 'unknown'] : ['received']).toContain(outcome)
  if (outcome !== 'impossible') purchase.isRefunded = true
}
