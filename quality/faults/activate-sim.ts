import { setTimeout as pause } from 'node:timers/promises'
import type { Activation } from '#features/activation/activation.contract.ts'
import { password, portForm } from '#quality/support/activation-journey.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import {
  type FirstPurchase,
  randomCardHolder,
  type SimulatedCustomer,
  planIds,
  plans,
  tell,
  trackUnfinishedAction,
} from './simulated-customer.ts'
import { RetriesExhaustedError, withRetries } from './retrying-visitor.ts'

/** Completes the activation wizard. Returns null if the activation fails. */
export async function activateSim(life: SimulatedCustomer): Promise<FirstPurchase | null> {
  const { world, random, diary, browser, email } = life
  diary.begun += 1
  const behaviour = random.chance(0.85) ? 'ok' : random.pick(['fails_once', 'slow', 'fails_always'] as const)
  const sim = world.newSim(behaviour)
  const voucher = random.chance(0.3) ? world.newVoucher() : null
  // Prefer the shortest plan, because it ends and renews during the run.
  const plan = random.pick([...planIds, 'plan-7-500mb', 'plan-7-500mb'] as const)
  const port = random.chance(0.2)
    ? portForm(world.portableNumber(random.pick(['completes', 'completes', 'fails'])))
    : null
  const steps: [string, object][] = [
    ['sim', { ...sim, setup_porting: port !== null }],
    ...(port ? [['port', port] as [string, object]] : []),
    ['signup', { full_name: 'Ana Rewi', email, password, marketing_consent: false }],
    ['method', voucher ? { method: 'voucher', code: voucher } : { method: 'payment' }],
    ...(voucher ? [] : [['plan', { plan }] as [string, object]]),
  ]
  for (const [step, answers] of steps) {
    const { status, body } = await browser.post(`/api/activate/${step}/`, answers)
    if (status !== 200) throw new Error(`${step} answered ${status}: ${JSON.stringify(body)}`)
  }
  const cents = voucher ? 0 : plans[plan]
  const activationPromise = { kind: 'activation', paid_with: voucher ? 'voucher' : 'card', cents, email } as const
  const code = await trackUnfinishedAction(life, email, () => payActivation(life, voucher !== null))
  if (!code) return null
  tell(diary, { ...activationPromise, order_code: code, said: 'accepted' })
  const state = await trackUnfinishedAction(life, email, () => waitForActivation(browser))
  if (state === 'SUCCESSFUL') tell(diary, { ...activationPromise, order_code: code, said: 'delivered' })
  if (state === 'PERMANENTLY_FAILED') tell(diary, { ...activationPromise, order_code: code, said: 'failed' })
  return state === 'SUCCESSFUL' ? { order_code: code, cents } : null
}

/** Pays for the activation. Returns the order's code once the payment has been accepted, or null if it is definitely rejected. */
async function payActivation(
  { world, browser, random }: SimulatedCustomer,
  paysByVoucher: boolean,
): Promise<string | null> {
  const cardHolder = randomCardHolder(random)
  const key = crypto.randomUUID()
  const source = paysByVoucher
    ? { payment_method: '2' }
    : { payment_method: '1', use_saved_card: false, adyen_encrypted: world.card(cardHolder) }
  for (;;) {
    const { status, body } = await browser.post('/api/activate/pay/', source, { 'idempotency-key': key })
    if (status === 200) return (body as Activation).order_code
    if (status === 202) return body.order_code
    if (status === 400) return null
    const now = await browser.get('/api/activate/activate/')
    if (now.status === 200 && now.body.order_code) return now.body.order_code
    if (status !== 409) throw new Error(`pay answered ${status}: ${JSON.stringify(body)}`)
    await pause(300)
  }
}

async function waitForActivation(browser: Visitor): Promise<Activation['state'] | 'PAYMENT'> {
  const end = performance.now() + 300_000
  for (let tries = 0; performance.now() < end;) {
    const { status, body } = await browser.get('/api/activate/activate/')
    if (status !== 200) throw new Error(`looking at the activation answered ${status}: ${JSON.stringify(body)}`)
    const { state, retry, order_code: code } = body as Activation
    if (state === 'SUCCESSFUL' || state === 'PERMANENTLY_FAILED') return state
    if (state === 'PAYMENT' && !retry) return state
    if (retry && code) await browser.post(`/api/orders/${code}/resume/`)
    if (state === 'ERROR_CAN_RETRY' && tries++ < 5) await browser.post('/api/activate/activate/')
    await pause(250)
  }
  throw new RetriesExhaustedError('the activation did not come to an end in 300 s')
}

export async function signIn(life: SimulatedCustomer): Promise<SimulatedCustomer> {
  const { world, browser, email } = life
  const end = performance.now() + 240_000
  let token: string | null = null
  while (!(token = await world.mailWith(email, /\/verify\/\?token=([\w-]+)/))) {
    if (performance.now() > end)
      throw new RetriesExhaustedError('the link to confirm the address did not come in 240 s')
    await pause(300)
  }
  await browser.post('/api/account/verify_email/', { token })
  const visitor = withRetries(world.visitor(), life.diary.figures, world.signal)
  const { status, body } = await visitor.post('/api/account/login/', { username: email, password })
  if (status !== 200) throw new Error(`login answered ${status}: ${JSON.stringify(body)}`)
  return { ...life, browser: visitor }
}
