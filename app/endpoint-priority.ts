import type { Endpoint } from '#kit/contract/endpoint.ts'
import type { EndpointPriority } from '#kit/server/overload/overload-protection.ts'
import { pollActivation, restartActivation } from '#features/activation/activation.contract.ts'
import { submitPayment } from '#features/activation/pay-step.contract.ts'
import { submitSignup } from '#features/activation/signup-step.contract.ts'
import { buyAddOn } from '#features/addons/addons.contract.ts'
import { login } from '#features/auth/login.contract.ts'
import { readOrder, resumeOrder } from '#features/orders/orders.contract.ts'
import { updatePaymentMethod } from '#features/payment-method/payment-method.contract.ts'
import { renewPlan } from '#features/renewal/renewal.contract.ts'

const purchaseEndpoints: readonly Endpoint[] = [
  submitPayment,
  pollActivation,
  restartActivation,
  renewPlan,
  buyAddOn,
  readOrder,
  resumeOrder,
  updatePaymentMethod,
]

/**
 * Endpoints at which any visitor can make the server hash a password. All other endpoints that hash passwords require a
 * session, a link's token or a PIN first.
 */
const costlyEndpoints: readonly Endpoint[] = [login, submitSignup]

/** The priority with which an endpoint's requests are admitted under overload (docs/decisions/0070). */
export function findPriority(endpoint: Endpoint): { admission?: EndpointPriority } {
  if (purchaseEndpoints.includes(endpoint)) return { admission: 'order' }
  return costlyEndpoints.includes(endpoint) ? { admission: 'costly' } : {}
}
