import { password, type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type Answer, newVisitor, type Visitor } from '#quality/support/visitor.ts'
import { sealCard } from '#quality/support/cards.ts'

export const actionNames = ['activation with sign-up', 'activation signed in', 'renewal', 'login'] as const
export type ActionName = (typeof actionNames)[number]

export type Pack = { msisdn: string; sim_serial: string; iccid: string }
export type BenchAccount = { email: string; cookies: [string, string][]; uuid: string; shortId: string }

/**
 * Fantail's URL, and the SIM packs and accounts with which customers perform their actions. A SIM pack is never used twice, and no account
 * performs two actions at once.
 */
export type Scene = {
  url: string
  publicKey: string
  newVisitor(): Visitor
  takePack(): Pack
  takeCustomer(): BenchAccount
  giveBack(customer: BenchAccount): void
}

/** Performs the action once. Returns the milliseconds from the click on the last button until the action is complete. */
type Act = (scene: Scene) => Promise<number>

export const actions: Record<ActionName, Act> = {
  'activation with sign-up': (scene) => activateAsVisitor(scene, scene.newVisitor(), {}),
  'activation signed in': (scene) =>
    runAsIdleCustomer(scene, (visitor) =>
      activateAsVisitor(scene, visitor, { use_saved_card: true, adyen_encrypted: undefined }),
    ),
  renewal: (scene) => runAsIdleCustomer(scene, renew),
  login: (scene) => runAsIdleCustomer(scene, (_, customer) => logIn(scene.newVisitor(), customer)),
}

async function logIn(visitor: Visitor, { email }: BenchAccount): Promise<number> {
  await visitor.get('/api/account/')
  return timed(() => post(visitor, '/api/account/login/', { username: email, password }))
}

async function activateAsVisitor(scene: Scene, visitor: Visitor, payment: Record<string, unknown>): Promise<number> {
  const wizardVisitor = await advanceWizardTo(createWizardResources(scene, visitor), 'PAYMENT')
  return timed(() => payAndAwaitActivation(wizardVisitor, payment))
}

async function payAndAwaitActivation({ pay, arriveAt }: WizardVisitor, body: Record<string, unknown>): Promise<void> {
  requireStatus200(await pay({ body }), 'pay')
  const { state } = await arriveAt('SUCCESSFUL', 'PERMANENTLY_FAILED', 'ERROR_CAN_RETRY')
  if (state !== 'SUCCESSFUL') throw new Error(`an activation ended as ${state}`)
}

async function renew(visitor: Visitor, { uuid, shortId }: BenchAccount): Promise<number> {
  const form = { uuid, schedule: shortId, product: 'plan-30-5gb', starts: 'now', use_saved_card: true }
  return timed(async () => {
    const { order_code: code } = (
      await post(visitor, '/api/orders/recharge/', form, { 'idempotency-key': crypto.randomUUID() })
    ).body
    await pollUntil(async () => (await visitor.get(`/api/orders/${code}/`)).status === 200)
  })
}

const createWizardResources = ({ publicKey, takePack }: Scene, visitor: Visitor) => ({
  visitor: () => visitor,
  newSim: async () => takePack(),
  card: (holder = 'Ana Rewi') => sealCard(publicKey, Temporal.Now.instant(), holder),
})

async function runAsIdleCustomer(
  scene: Scene,
  act: (visitor: Visitor, customer: BenchAccount) => Promise<number>,
): Promise<number> {
  const customer = scene.takeCustomer()
  try {
    const visitor = newVisitor(scene.url)
    for (const [name, value] of customer.cookies) visitor.setCookie(name, value)
    return await act(visitor, customer)
  } finally {
    scene.giveBack(customer)
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

async function post(visitor: Visitor, path: string, body: object, headers?: Record<string, string>): Promise<Answer> {
  const answer = await visitor.post(path, body, headers)
  requireStatus200(answer, path)
  return answer
}

function requireStatus200({ status, body }: Answer, what: string): void {
  if (status !== 200) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`)
}
