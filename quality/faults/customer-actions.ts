import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '#features/services/services.contract.ts'
import { setAutoRenewal } from '#quality/support/auto-renewal.ts'
import type { Answer } from '#quality/support/visitor.ts'
import type { CustomerPromise } from './audit-records.ts'
import {
  addOnIds,
  addOns,
  randomCardHolder,
  type SimulatedCustomer,
  planIds,
  plans,
  tell,
  trackUnfinishedAction,
} from './simulated-customer.ts'
import { RetriesExhaustedError } from './retrying-visitor.ts'

/** Returns the customer's service; null if the customer no longer has one. */
export async function readService({ browser }: SimulatedCustomer): Promise<Service | null> {
  const { status, body } = await browser.get('/api/services/')
  if (status !== 200) throw new Error(`services answered ${status}: ${JSON.stringify(body)}`)
  return Object.values(body as Record<string, Service>)[0] ?? null
}

/** Repeats a purchase with the same idempotency key until the response is definite. */
async function buy(
  life: SimulatedCustomer,
  path: string,
  form: object,
  promise: Omit<CustomerPromise, 'order_code' | 'said' | 'email'>,
) {
  const { diary, browser, email } = life
  diary.begun += 1
  const key = crypto.randomUUID()
  await trackUnfinishedAction(life, key, async () => {
    let answer: Answer = await browser.post(path, form, { 'idempotency-key': key })
    let code: string | null = null
    const end = performance.now() + 300_000
    while (answer.status === 202 || answer.status === 409) {
      /*
       * Give up on a conflict, which means that another purchase is under way or that the price has changed. A real customer would reload
       * the page.
       */
      if (answer.status === 409) return
      code = answer.body.order_code as string
      tell(diary, { ...promise, email, order_code: code, said: 'accepted' })
      if (performance.now() > end) throw new RetriesExhaustedError(`order ${code} did not come to an end in 300 s`)
      await pause(300)
      answer = await browser.post(`/api/orders/${code}/resume/`)
    }
    if (answer.status === 200) tell(diary, { ...promise, email, order_code: answer.body.order_code, said: 'delivered' })
    else if (code) tell(diary, { ...promise, email, order_code: code, said: 'failed' })
  })
}

const choosePaymentSource = ({ world, random }: SimulatedCustomer, hasCard: boolean): object =>
  hasCard && random.chance(0.5)
    ? { use_saved_card: true }
    : { use_saved_card: false, adyen_encrypted: world.card(randomCardHolder(random)) }

async function hasSavedCard({ browser }: SimulatedCustomer): Promise<boolean> {
  const { body } = await browser.get('/api/account/')
  return Boolean(body.user?.credit_card_token)
}

export async function renew(life: SimulatedCustomer, service: Service): Promise<void> {
  const { world, random } = life
  const base = {
    uuid: service.uuid,
    schedule: service.plan_short_id,
    starts: random.pick(['now', 'at_end']),
  }
  if (random.chance(0.25)) {
    const form = { ...base, payment_method: '2', code: world.newVoucher() }
    return buy(life, '/api/orders/recharge/', form, { kind: 'recharge', paid_with: 'voucher', cents: 0 })
  }
  const product = random.pick(planIds)
  const form = { ...base, payment_method: '1', product, ...choosePaymentSource(life, await hasSavedCard(life)) }
  return buy(life, '/api/orders/recharge/', form, { kind: 'recharge', paid_with: 'card', cents: plans[product] })
}

export async function buyAddOn(life: SimulatedCustomer, service: Service): Promise<void> {
  const product = life.random.pick(addOnIds)
  const source = choosePaymentSource(life, await hasSavedCard(life))
  const form = { uuid: service.uuid, product, payment_method: '1', save_token: life.random.chance(0.5), ...source }
  return buy(life, '/api/orders/addons/', form, { kind: 'addon', paid_with: 'card', cents: addOns[product] })
}

export async function saveCard({ world, browser }: SimulatedCustomer): Promise<void> {
  const form = { payment_method: '1', use_saved_card: false, adyen_encrypted: world.card() }
  const key = crypto.randomUUID()
  for (let tries = 0; tries < 200; tries++) {
    const { status } = await browser.post('/api/orders/update_payment/', form, { 'idempotency-key': key })
    if (status !== 202) return
    await pause(300)
  }
  throw new RetriesExhaustedError('it was not said whether the card was saved')
}

export async function enableAutoRenewal(life: SimulatedCustomer, service: Service): Promise<void> {
  if (!(await hasSavedCard(life))) await saveCard(life)
  if (!(await hasSavedCard(life))) return
  const target = {
    customer: { visitor: life.browser, email: life.email },
    service: { id: service.uuid, shortId: service.plan_short_id },
  }
  // Ignore a rejection, because the plan may have ended in the meantime.
  await setAutoRenewal(target, 'PUT').catch(ignoreRefusal)
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Error) || !/answered 4/.test(error.message)) throw error
}

export async function removeCard({ browser }: SimulatedCustomer): Promise<void> {
  await browser.send('DELETE', '/api/account/payment_method/', {
    headers: { 'x-csrftoken': browser.cookie('csrftoken') ?? '' },
  })
}
