import type { OutputOf, BodyOf } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { parseMobile } from '#kit/contract/phone.ts'
import { passwordFault } from '#kit/server/password-rule.ts'
import { isMissingReference, transact, type Trx } from '#kit/server/db.ts'
import { countUse, countUseOfOne, forgiveUse } from '#kit/server/limits.ts'
import { conflict, invalid, invalidForm, refuseAny } from '#kit/server/refusal.ts'
import { saveSession, type Session } from '#kit/server/session.ts'
import type { Visit } from '#kit/server/visit.ts'
import { checkSignupPassword } from '#features/auth/server/auth.ts'
import { cancelHeldOrder } from '#features/orders/server/orders.ts'
import { findOrderAmong, type Order } from '#features/orders/server/orders.store.ts'
import { isOver } from '#features/orders/orders.states.ts'
import { isPlanOnOffer } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { numberToBring, transferFaults } from '#features/porting/server/porting.ts'
import { findUnusedSim } from '#features/services/server/sim-packs.store.ts'
import { checkVoucher } from '#features/vouchers/server/vouchers.ts'
import { type Activation, activationMessages, type submitPlan } from '../activation.contract.ts'
import {
  acceptsStep,
  afterMethod,
  afterPlan,
  afterPort,
  afterSignup,
  afterSim,
  type WizardStep,
} from '../activation.states.ts'
import type { submitMethod } from '../method-step.contract.ts'
import type { submitPort } from '../port-step.contract.ts'
import type { submitSim } from '../sim-step.contract.ts'
import type { submitSignup } from '../signup-step.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import {
  type ActivationRow,
  deleteUnordered,
  endActivation,
  findActivation,
  insertActivation,
  lockActivation,
  orderIdOf,
  updateActivation,
} from './activation.store.ts'
import { simLimits, startLimit } from './sim-limits.ts'
import { lapseSurplusOfPack } from './unpaid-activations.store.ts'
import { presentActivation } from './activation.present.ts'
import { asCustomer, customerOf, isNewCustomer } from './activation-customer.ts'
import { orderOf } from './activation-order.ts'

export async function startWithSim(
  deps: ActivationDeps,
  visit: Visit,
  answers: BodyOf<typeof submitSim>,
): Promise<Activation> {
  const number = parseMobile(answers.msisdn, deps.market.phoneRegion)
  if (typeof number === 'string') throw new Error('the contract let an unreadable number through')
  const seen = await refuseWhilePaying(deps, visit)
  // If the limit is used up, the request fails whether or not the SIM was found, so the response reveals nothing.
  const [guessed, sim] = await Promise.all([
    countUseOfOne(deps.db, simLimits(deps.secrets, visit, number.e164)),
    findUnusedSim(deps.db, number.e164, answers.sim_serial),
  ])
  if (!sim) throw invalidForm(activationMessages.simUnknown)
  const now = deps.clock.now()
  const begin = () =>
    changed(deps, visit, async (trx, sessionId) => {
      await forgiveUse(trx, guessed)
      const before = await lockActivation(trx, sessionId)
      const customer = await customerOf(trx, visit)
      if (before) {
        await leaveOrderBehind(trx, deps, before, seen)
        if (before.order_id) await endActivation(trx, before.id, now)
      }
      await deleteUnordered(trx, sessionId)
      const activation = await insertActivation(
        trx,
        {
          session_id: sessionId,
          state: afterSim({ porting: answers.setup_porting, signedIn: customer !== null }),
          iccid: sim.iccid,
          msisdn: sim.msisdn,
          setup_porting: answers.setup_porting,
          ...(customer ?? { user_id: null, full_name: null, email: null }),
        },
        now,
      )
      await lapseSurplusOfPack(trx, activation, now)
      return activation
    })
  return countUse(deps.db, [startLimit(visit)])
    .then(begin)
    .catch(async (error: unknown) => {
      // The guess was correct, so it does not count, even though the start failed.
      await forgiveUse(deps.db, guessed)
      throw error
    })
}

export async function answerPort(
  deps: ActivationDeps,
  visit: Visit,
  answers: BodyOf<typeof submitPort>,
): Promise<Activation> {
  refuseAny(await portFaults(deps, visit, answers))
  const number = numberToBring(deps.market, answers)
  return answerStep(deps, visit, 'port', async (activation) => {
    if (number === activation.msisdn) throw invalid({ msisdn: [portingMessages.ownNumber] })
    return {
      state: afterPort({ signedIn: activation.user_id !== null }),
      setup_porting: true,
      porting: answers,
      ...droppedAfter('port', activation),
    }
  })
}

export async function portFaults(
  deps: ActivationDeps,
  { session }: Visit,
  answers: Partial<BodyOf<typeof submitPort>>,
): Promise<FieldErrors> {
  const activation = session.id ? await findActivation(deps.db, session.id, deps.clock.now()) : undefined
  if (!activation) return {}
  // Limited, because the response reveals whether a number is already a customer's.
  await countUse(deps.db, [{ key: `port-step:${activation.iccid}`, times: 30, seconds: 3_600 }])
  return transferFaults(deps, { msisdn: activation.msisdn, holder: activation.order_id }, answers)
}

export function signupFaults({ password, email = '', full_name }: Partial<BodyOf<typeof submitSignup>>): FieldErrors {
  const fault = password === undefined ? null : passwordFault(password, { email, names: full_name ? [full_name] : [] })
  return fault ? { password: [fault] } : {}
}

export async function answerSignup(
  deps: ActivationDeps,
  visit: Visit,
  answers: BodyOf<typeof submitSignup>,
): Promise<Activation> {
  refuseAny(signupFaults(answers))
  // Hash outside the transaction, because argon2 is slow by design.
  const signup = await checkSignupPassword(deps, visit, answers)
  return answerStep(deps, visit, 'signup', async (activation) => {
    if (activation.user_id) throw conflict(activationMessages.changed)
    const { full_name, email, marketing_consent } = answers
    return {
      state: afterSignup(),
      full_name,
      email,
      ...signup,
      marketing_consent,
      ...droppedAfter('signup', activation),
    }
  })
}

export async function answerMethod(
  deps: ActivationDeps,
  visit: Visit,
  answers: BodyOf<typeof submitMethod>,
): Promise<Activation> {
  const voucher = answers.code === null ? null : await checkVoucher(deps, answers.code)
  if (voucher && 'refusal' in voucher) throw invalid({ code: [voucher.refusal] })
  return answerStep(deps, visit, 'method', async () => ({
    state: afterMethod(answers.method),
    method: answers.method,
    voucher_id: voucher?.id ?? null,
    product_id: voucher?.product.unique_id ?? null,
  }))
}

export async function answerPlan(
  deps: ActivationDeps,
  visit: Visit,
  answers: BodyOf<typeof submitPlan>,
): Promise<Activation> {
  const plan = await findProduct(deps.db, answers.plan)
  if (!isPlanOnOffer(plan)) throw invalid({ plan: [planMessages.required] })
  return answerStep(deps, visit, 'plan', async (activation, trx) => {
    // A voucher determines its plan. A visitor who wants another plan goes back to the payment method.
    if (activation.method !== 'payment') throw conflict(activationMessages.changed)
    if (plan.new_customer_only && !(await isNewCustomer(trx, activation)))
      throw invalid({ plan: [planMessages.newCustomers] })
    return { state: afterPlan(), product_id: plan.unique_id }
  })
}

type Patch = Partial<ActivationRow>

async function answerStep(
  deps: ActivationDeps,
  visit: Visit,
  step: WizardStep,
  patchFor: (activation: ActivationRow, trx: Trx) => Promise<Patch>,
): Promise<Activation> {
  return changed(deps, visit, async (trx, sessionId) => {
    const found = await lockActivation(trx, sessionId)
    const activation = found && (await asCustomer(trx, found, visit))
    if (!activation || !acceptsStep(activation.state, step) || (step === 'port' && !activation.setup_porting)) {
      throw conflict(activationMessages.changed)
    }
    await refuseWhileOrdered(trx, activation)
    return updateActivation(trx, activation, { ...(await patchFor(activation, trx)), order_id: null }, deps.clock.now())
  })
}

function droppedAfter(step: 'port' | 'signup', activation: ActivationRow): Patch {
  const purchase: Patch = { method: null, voucher_id: null, product_id: null }
  if (step === 'signup' || activation.user_id) return purchase
  return {
    ...purchase,
    full_name: null,
    email: null,
    password_hash: null,
    joins_user_id: null,
    marketing_consent: false,
  }
}

/**
 * Reverses a held order when its visitor starts over. An order in progress cannot be left. If the order reached its
 * final state during this request, the visitor has continued elsewhere, and this request is outdated.
 */
async function leaveOrderBehind(
  trx: Trx,
  deps: ActivationDeps,
  activation: ActivationRow,
  seen: Order | undefined,
): Promise<void> {
  const order = await orderOf(trx, activation)
  const isSeen = order?.id === seen?.id && order?.state === seen?.state
  if (order && isOver(order.state) && order.state !== 'refused' && !isSeen) throw conflict(activationMessages.changed)
  if (!order || isOver(order.state)) return
  if (order.state !== 'held' || !(await cancelHeldOrder(trx, deps, order))) throw conflict(activationMessages.underWay)
}

/**
 * Runs before the SIM is looked up, because a SIM that is being paid for no longer counts as unused. Returns the order
 * as it was when the request arrived.
 */
async function refuseWhilePaying(deps: ActivationDeps, { session }: Visit): Promise<Order | undefined> {
  if (!session.id) return undefined
  const [activation, found] = await Promise.all([
    findActivation(deps.db, session.id, deps.clock.now()),
    findOrderAmong(deps.db, orderIdOf(deps.db, session.id)),
  ])
  const order = found && found.id === activation?.order_id ? found : undefined
  if (order && !isOver(order.state) && order.state !== 'held') throw conflict(activationMessages.underWay)
  return order
}

async function refuseWhileOrdered(trx: Trx, activation: ActivationRow): Promise<void> {
  const order = await orderOf(trx, activation)
  if (order && order.state !== 'refused') throw conflict(activationMessages.underWay)
}

async function changed(
  deps: ActivationDeps,
  visit: Visit,
  change: (trx: Trx, sessionId: string) => Promise<ActivationRow>,
): Promise<OutputOf<typeof submitSim>> {
  const run = (session: Session) => transact(deps.db, async (trx) => change(trx, await saveSession(trx, session)))
  const activation = await run(visit.session).catch((error: unknown) => {
    // The session held nothing, so its row was deleted after this request had read it. Retry with a new session.
    if (visit.user || !isMissingReference(error, 'activations_session_id_fkey')) throw error
    return run({ ...visit.session, id: null })
  })
  return presentActivation(deps, activation)
}
