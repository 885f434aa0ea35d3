import type { EndpointOutput, EndpointBody } from '#kit/contract/endpoint.ts'
import type { FieldErrors } from '#kit/contract/errors.ts'
import { parseMobile } from '#kit/contract/phone.ts'
import { findPasswordFault } from '#kit/server/password-rule.ts'
import { isForeignKeyViolation, transact, type Trx } from '#kit/server/db.ts'
import { countLimitUse, countFirstAvailableLimits, undoLimitUse } from '#kit/server/limits.ts'
import { conflict, badRequest, formError, throwIfInvalid } from '#kit/server/http-error.ts'
import { saveSession, type Session } from '#kit/server/session.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { checkSignupPassword } from '#features/auth/server/auth.ts'
import { cancelHeldOrder } from '#features/orders/server/orders.ts'
import { findOrderByIdOrSubquery, type Order } from '#features/orders/server/orders.store.ts'
import { isEndState } from '#features/orders/orders.states.ts'
import { isPlanOnSale } from '#features/plans/server/plans.ts'
import { findProduct } from '#features/plans/server/plans.store.ts'
import { planMessages } from '#features/plans/plans.contract.ts'
import { portingMessages } from '#features/porting/porting.contract.ts'
import { parseTransferNumber, validateTransfer } from '#features/porting/server/porting.ts'
import { findUnusedSim } from '#features/services/server/sim-packs.store.ts'
import { checkVoucher } from '#features/vouchers/server/vouchers.ts'
import { type Activation, activationMessages, type submitPlan } from '../activation.contract.ts'
import {
  acceptsStep,
  stateAfterMethod,
  stateAfterPlan,
  stateAfterPort,
  stateAfterSignup,
  stateAfterSim,
  type WizardStep,
} from '../activation.states.ts'
import type { submitMethod } from '../method-step.contract.ts'
import type { submitPort } from '../port-step.contract.ts'
import type { submitSim } from '../sim-step.contract.ts'
import type { submitSignup } from '../signup-step.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import {
  type ActivationRow,
  deleteActivationsWithoutOrder,
  endActivation,
  findActivation,
  insertActivation,
  lockActivation,
  orderIdQuery,
  updateActivation,
} from './activation.store.ts'
import { simGuessLimits, activationStartLimit } from './sim-limits.ts'
import { lapseExcessActivations } from './unpaid-activations.store.ts'
import { presentActivation } from './activation.present.ts'
import { attachSignedInCustomer, findSignedInCustomer, isNewCustomer } from './activation-customer.ts'
import { findActivationOrder } from './activation-order.ts'

export async function startActivationWithSim(
  deps: ActivationDeps,
  visit: RequestContext,
  answers: EndpointBody<typeof submitSim>,
): Promise<Activation> {
  const number = parseMobile(answers.msisdn, deps.market.phoneRegion)
  if (typeof number === 'string') throw new Error('the contract let an unreadable number through')
  const orderAtRequestStart = await rejectDuringPayment(deps, visit)
  // Once the limit is used up, the request fails whether or not the SIM was found, so the response says nothing about the SIM.
  const [countedGuess, sim] = await Promise.all([
    countFirstAvailableLimits(deps.db, simGuessLimits(deps.secrets, visit, number.e164)),
    findUnusedSim(deps.db, number.e164, answers.sim_serial),
  ])
  if (!sim) throw formError(activationMessages.simUnknown)
  const now = deps.clock.now()
  const startActivation = () =>
    updateActivationInSession(deps, visit, async (trx, sessionId) => {
      await undoLimitUse(trx, countedGuess)
      const previousActivation = await lockActivation(trx, sessionId)
      const customer = await findSignedInCustomer(trx, visit)
      if (previousActivation) {
        await cancelPreviousOrder(trx, deps, previousActivation, orderAtRequestStart)
        if (previousActivation.order_id) await endActivation(trx, previousActivation.id, now)
      }
      await deleteActivationsWithoutOrder(trx, sessionId)
      const activation = await insertActivation(
        trx,
        {
          session_id: sessionId,
          state: stateAfterSim({ porting: answers.setup_porting, signedIn: customer !== null }),
          iccid: sim.iccid,
          msisdn: sim.msisdn,
          setup_porting: answers.setup_porting,
          ...(customer ?? { user_id: null, full_name: null, email: null }),
        },
        now,
      )
      await lapseExcessActivations(trx, activation, now)
      return activation
    })
  return countLimitUse(deps.db, [activationStartLimit(visit)])
    .then(startActivation)
    .catch(async (error: unknown) => {
      // The digits were correct, so remove the guess from the count even though starting the activation failed.
      await undoLimitUse(deps.db, countedGuess)
      throw error
    })
}

export async function submitPortStep(
  deps: ActivationDeps,
  visit: RequestContext,
  answers: EndpointBody<typeof submitPort>,
): Promise<Activation> {
  throwIfInvalid(await validatePortStep(deps, visit, answers))
  const number = parseTransferNumber(deps.market, answers)
  return applyStep(deps, visit, 'port', async (activation) => {
    if (number === activation.msisdn) throw badRequest({ msisdn: [portingMessages.ownNumber] })
    return {
      state: stateAfterPort({ signedIn: activation.user_id !== null }),
      setup_porting: true,
      porting: answers,
      ...buildAnswerResetPatch('port', activation),
    }
  })
}

export async function validatePortStep(
  deps: ActivationDeps,
  { session }: RequestContext,
  answers: Partial<EndpointBody<typeof submitPort>>,
): Promise<FieldErrors> {
  const activation = session.id ? await findActivation(deps.db, session.id, deps.clock.now()) : undefined
  if (!activation) return {}
  // The response reveals whether a number already belongs to a customer, so limit the requests.
  await countLimitUse(deps.db, [{ key: `port-step:${activation.iccid}`, times: 30, seconds: 3_600 }])
  return validateTransfer(deps, { msisdn: activation.msisdn, holder: activation.order_id }, answers)
}

export function validateSignupStep({
  password,
  email = '',
  full_name,
}: Partial<EndpointBody<typeof submitSignup>>): FieldErrors {
  const fault =
    password === undefined ? null : findPasswordFault(password, { email, names: full_name ? [full_name] : [] })
  return fault ? { password: [fault] } : {}
}

export async function submitSignupStep(
  deps: ActivationDeps,
  visit: RequestContext,
  answers: EndpointBody<typeof submitSignup>,
): Promise<Activation> {
  throwIfInvalid(validateSignupStep(answers))
  // Argon2 is deliberately slow, so hash before the transaction starts.
  const signup = await checkSignupPassword(deps, visit, answers)
  return applyStep(deps, visit, 'signup', async (activation) => {
    if (activation.user_id) throw conflict(activationMessages.changed)
    const { full_name, email, marketing_consent } = answers
    return {
      state: stateAfterSignup(),
      full_name,
      email,
      ...signup,
      marketing_consent,
      ...buildAnswerResetPatch('signup', activation),
    }
  })
}

export async function submitMethodStep(
  deps: ActivationDeps,
  visit: RequestContext,
  answers: EndpointBody<typeof submitMethod>,
): Promise<Activation> {
  const voucher = answers.code === null ? null : await checkVoucher(deps, answers.code)
  if (voucher && 'refusal' in voucher) throw badRequest({ code: [voucher.refusal] })
  return applyStep(deps, visit, 'method', async () => ({
    state: stateAfterMethod(answers.method),
    method: answers.method,
    voucher_id: voucher?.id ?? null,
    product_id: voucher?.product.unique_id ?? null,
  }))
}

export async function submitPlanStep(
  deps: ActivationDeps,
  visit: RequestContext,
  answers: EndpointBody<typeof submitPlan>,
): Promise<Activation> {
  const plan = await findProduct(deps.db, answers.plan)
  if (!isPlanOnSale(plan)) throw badRequest({ plan: [planMessages.required] })
  return applyStep(deps, visit, 'plan', async (activation, trx) => {
    // A voucher determines the plan. To get a different plan, the visitor must go back to the payment method.
    if (activation.method !== 'payment') throw conflict(activationMessages.changed)
    if (plan.new_customer_only && !(await isNewCustomer(trx, activation)))
      throw badRequest({ plan: [planMessages.newCustomers] })
    return { state: stateAfterPlan(), product_id: plan.unique_id }
  })
}

type ActivationPatch = Partial<ActivationRow>

async function applyStep(
  deps: ActivationDeps,
  visit: RequestContext,
  step: WizardStep,
  createPatch: (activation: ActivationRow, trx: Trx) => Promise<ActivationPatch>,
): Promise<Activation> {
  return updateActivationInSession(deps, visit, async (trx, sessionId) => {
    const found = await lockActivation(trx, sessionId)
    const activation = found && (await attachSignedInCustomer(trx, found, visit))
    if (!activation || !acceptsStep(activation.state, step) || (step === 'port' && !activation.setup_porting)) {
      throw conflict(activationMessages.changed)
    }
    await rejectIfOrdered(trx, activation)
    return updateActivation(
      trx,
      activation,
      { ...(await createPatch(activation, trx)), order_id: null },
      deps.clock.now(),
    )
  })
}

function buildAnswerResetPatch(step: 'port' | 'signup', activation: ActivationRow): ActivationPatch {
  const clearedPurchaseFields: ActivationPatch = { method: null, voucher_id: null, product_id: null }
  if (step === 'signup' || activation.user_id) return clearedPurchaseFields
  return {
    ...clearedPurchaseFields,
    full_name: null,
    email: null,
    password_hash: null,
    joins_user_id: null,
    marketing_consent: false,
  }
}

/**
 * Cancels the previous activation's order if it is on hold, because the visitor is starting over.
 * @throws 409 when an order is in progress, or has finished during this request, because the visitor must then have
 * continued in another tab
 */
async function cancelPreviousOrder(
  trx: Trx,
  deps: ActivationDeps,
  activation: ActivationRow,
  seen: Order | undefined,
): Promise<void> {
  const order = await findActivationOrder(trx, activation)
  const isUnchangedSinceRequest = order?.id === seen?.id && order?.state === seen?.state
  if (order && isEndState(order.state) && order.state !== 'refused' && !isUnchangedSinceRequest)
    throw conflict(activationMessages.changed)
  if (!order || isEndState(order.state)) return
  if (order.state !== 'held' || !(await cancelHeldOrder(trx, deps, order))) throw conflict(activationMessages.underWay)
}

/**
 * Returns the activation's order as of this request's arrival. Call this before looking up the SIM, because a SIM that
 * is being paid for no longer counts as unused.
 * @throws 409 while a payment is in progress
 */
async function rejectDuringPayment(deps: ActivationDeps, { session }: RequestContext): Promise<Order | undefined> {
  if (!session.id) return undefined
  const [activation, found] = await Promise.all([
    findActivation(deps.db, session.id, deps.clock.now()),
    findOrderByIdOrSubquery(deps.db, orderIdQuery(deps.db, session.id)),
  ])
  const order = found && found.id === activation?.order_id ? found : undefined
  if (order && !isEndState(order.state) && order.state !== 'held') throw conflict(activationMessages.underWay)
  return order
}

async function rejectIfOrdered(trx: Trx, activation: ActivationRow): Promise<void> {
  const order = await findActivationOrder(trx, activation)
  if (order && order.state !== 'refused') throw conflict(activationMessages.underWay)
}

async function updateActivationInSession(
  deps: ActivationDeps,
  visit: RequestContext,
  change: (trx: Trx, sessionId: string) => Promise<ActivationRow>,
): Promise<EndpointOutput<typeof submitSim>> {
  const saveSessionAndUpdate = (session: Session) =>
    transact(deps.db, async (trx) => change(trx, await saveSession(trx, session)))
  const activation = await saveSessionAndUpdate(visit.session).catch((error: unknown) => {
    // The session was empty, so its row was deleted after this request had read it. Retry with a new session.
    if (visit.user || !isForeignKeyViolation(error, 'activations_session_id_fkey')) throw error
    return saveSessionAndUpdate({ ...visit.session, id: null })
  })
  return presentActivation(deps, activation)
}
