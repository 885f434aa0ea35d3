import type { Activation } from '#features/activation/activation.contract.ts'
import type { ActivationState, WizardState } from '#features/activation/activation.states.ts'
import type { SimBehaviour } from '#demo/tables.ts'
import { pollUntil } from './poll-until.ts'
import { type Answer, newEmail, type Visitor } from './visitor.ts'
import type { World } from './world.ts'

export const password = 'korimako1'

type PortForm = {
  msisdn: string
  provider: string
  billing_method: number | string
  prepaid_sim_number?: string
  account_number?: string
}

/** A visitor's input in the activation wizard. Anything left out gets a default value. */
export type WizardInputs = {
  sim?: { msisdn: string; sim_serial: string; iccid: string }
  behaviour?: SimBehaviour
  port?: PortForm
  full_name?: string
  email?: string
  password?: string
  voucher?: string
  plan?: string
}

export type WizardVisitor = {
  visitor: Visitor
  sim: { msisdn: string; sim_serial: string; iccid: string }
  email: string
  look(): Promise<Activation>
  pay(payment?: { holder?: string; card?: string; key?: string; body?: Record<string, unknown> }): Promise<Answer>
  arriveAt(...states: ActivationState[]): Promise<Activation>
}

export function portForm(msisdn: string): PortForm {
  const isAustralian = msisdn.startsWith('+61')
  return {
    msisdn,
    provider: isAustralian ? 'telstra' : 'skinny',
    billing_method: 1,
    prepaid_sim_number: `${isAustralian ? '8961' : '8964'}050123456789012`,
  }
}

export type Place = Pick<World, 'visitor' | 'newSim' | 'card'>

/** Returns a new visitor who has completed all wizard steps before `state`. @throws if Fantail rejects any input */
export async function advanceWizardTo(
  place: Place,
  state: WizardState,
  answers: WizardInputs = {},
): Promise<WizardVisitor> {
  const { port, full_name = 'Ana Rewi', email = newEmail(), voucher, plan = 'plan-30-5gb' } = answers
  const chosenPassword = answers.password ?? password
  const visitor = place.visitor()
  const sim = answers.sim ?? (await place.newSim(answers.behaviour))
  const steps: [WizardState, string, object][] = [
    ['PORTING_ENTERED', 'port', port ?? {}],
    ['CREATED', 'signup', { full_name, email, password: chosenPassword, marketing_consent: true }],
    ['DETAILS_ENTERED', 'method', voucher ? { method: 'voucher', code: voucher } : { method: 'payment' }],
    ['METHOD_ENTERED', 'plan', { plan }],
  ]
  let at = await step(visitor, 'sim', { ...sim, setup_porting: port !== undefined })
  for (const [asked, name, answers] of steps) if (at !== state && at === asked) at = await step(visitor, name, answers)
  if (at !== state) throw new Error(`this way leads to ${at}, not to ${state}`)
  return {
    visitor,
    sim,
    email,
    look: async () => (await visitor.get('/api/activate/')).body,
    pay({ holder, card = place.card(holder), key = crypto.randomUUID(), body } = {}) {
      const source = voucher
        ? { payment_method: '2' }
        : { payment_method: '1', use_saved_card: false, adyen_encrypted: card }
      return visitor.post('/api/activate/pay/', { ...source, ...body }, { 'idempotency-key': key })
    },
    arriveAt: (...states) =>
      pollUntil(async () => {
        const { body } = await visitor.get('/api/activate/activate/')
        return states.includes(body.state) && body
      }),
  }
}

async function step(visitor: Visitor, name: string, answers: object): Promise<WizardState> {
  const { status, body } = await visitor.post(`/api/activate/${name}/`, answers)
  if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
  return body.state
}

export async function activate(
  place: Place,
  answers: WizardInputs = {},
): Promise<WizardVisitor & { done: Activation; orderCode: string }> {
  const payingVisitor = await advanceWizardTo(place, 'PAYMENT', answers)
  const paid = await payingVisitor.pay()
  if (paid.status !== 200) throw new Error(`pay answered ${paid.status}: ${JSON.stringify(paid.body)}`)
  const done = await payingVisitor.arriveAt('SUCCESSFUL', 'PERMANENTLY_FAILED', 'ERROR_CAN_RETRY')
  return { ...payingVisitor, done, orderCode: done.order_code ?? '' }
}
