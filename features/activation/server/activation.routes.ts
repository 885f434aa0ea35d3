import type { Limit } from '#kit/server/limits.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { portingFormSchemas } from '#features/porting/porting.contract.ts'
import { getVoucherLimits } from '#features/vouchers/server/vouchers.ts'
import { pollActivation, readActivation, restartActivation, submitPlan } from '../activation.contract.ts'
import { readFinishedActivation } from '../finished-activation.contract.ts'
import { submitMethod } from '../method-step.contract.ts'
import { submitPayment } from '../pay-step.contract.ts'
import { submitPort } from '../port-step.contract.ts'
import { submitSignup } from '../signup-step.contract.ts'
import { simStepSchemas, submitSim } from '../sim-step.contract.ts'
import type { ActivationDeps } from './activation.deps.ts'
import { currentActivation, hasVisibleActivation, restartWizard } from './activation.ts'
import { payForActivation } from './pay.ts'
import {
  submitMethodStep,
  submitPlanStep,
  submitPortStep,
  submitSignupStep,
  validatePortStep,
  validateSignupStep,
  startActivationWithSim,
} from './steps.ts'

export const activationRoutes = (deps: ActivationDeps): Route[] => [
  route(readActivation, { access: 'anyone' }, ({ visit }) => currentActivation(deps, visit)),
  route(pollActivation, { access: 'anyone' }, ({ visit }) => currentActivation(deps, visit)),
  route(restartActivation, { access: 'anyone' }, ({ visit }) => restartWizard(deps, visit)),
  route(submitSim, { access: 'anyone', body: () => simStepSchemas[deps.market.phoneRegion] }, ({ visit, body }) =>
    startActivationWithSim(deps, visit, body),
  ),
  route(
    submitPort,
    {
      access: 'anyone',
      body: () => portingFormSchemas[deps.market.phoneRegion],
      alsoWrong: ({ visit, body }) => validatePortStep(deps, visit, body),
    },
    ({ visit, body }) => submitPortStep(deps, visit, body),
  ),
  route(
    submitSignup,
    {
      access: 'anyone',
      limits: ({ visit }) => buildRateLimits('signup', visit),
      alsoWrong: async ({ body }) => validateSignupStep(body),
    },
    ({ visit, body }) => submitSignupStep(deps, visit, body),
  ),
  route(
    submitMethod,
    { access: 'anyone', limits: ({ visit, body }) => (hasVoucherCode(body) ? getVoucherLimits(visit) : []) },
    ({ visit, body }) => submitMethodStep(deps, visit, body),
  ),
  route(submitPlan, { access: 'anyone' }, ({ visit, body }) => submitPlanStep(deps, visit, body)),
  route(
    submitPayment,
    { access: 'anyone', limits: ({ visit }) => buildRateLimits('pay', visit) },
    async ({ visit, body, idempotencyKey }) => {
      const { order, outcome } = await payForActivation(deps, visit, idempotencyKey, body)
      if (outcome === 'unknown') return { status: 202, body: { order_code: order.order_code, retry: true } }
      return currentActivation(deps, visit, order)
    },
  ),
]

export const finishedActivationRoutes = (deps: ActivationDeps): Route[] => [
  route(readFinishedActivation, { access: 'anyone' }, async ({ visit }) => ({
    finished: await hasVisibleActivation(deps, visit),
  })),
]

/**
 * Limits requests that hash a password or place an order. The limit per IP address is high enough for many visitors who
 * share one address.
 */
const buildRateLimits = (action: 'signup' | 'pay', { clientIp, session }: RequestContext): Limit[] => [
  { key: `${action}:address:${clientIp}`, times: 1_000, seconds: 3_600 },
  { key: `${action}:session:${session.token}`, times: 30, seconds: 3_600 },
]

const hasVoucherCode = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'code' in body && Boolean(body.code)
