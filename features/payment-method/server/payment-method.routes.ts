import { type Route, route } from '#kit/server/route.ts'
import { removePaymentMethod, updatePaymentMethod } from '../payment-method.contract.ts'
import type { PaymentMethodDeps } from './payment-method.deps.ts'
import { removeCard } from './remove-card.ts'
import { updateCard } from './update-card.ts'

export const paymentMethodRoutes = (deps: PaymentMethodDeps): Route[] => [
  route(
    updatePaymentMethod,
    /*
     * Customers poll this endpoint for the outcome, so the request limit is generous. `updateCard` limits the number of
     * cards.
     */
    {
      access: 'verified',
      limits: ({ visit }) => [
        { key: `update-payment:asked:${visit.user?.id ?? visit.clientIp}`, times: 600, seconds: 3_600 },
      ],
    },
    async ({ visit, body, idempotencyKey }) => {
      const card = await updateCard(deps, {
        userId: visit.user.id,
        visit,
        key: idempotencyKey,
        encrypted: body.adyen_encrypted,
      })
      return card ? { credit_card_token: card } : { status: 202, body: { retry: true } }
    },
  ),
  route(removePaymentMethod, { access: 'verified' }, async ({ visit }) => {
    await removeCard(deps, visit.user.id, visit)
    return { credit_card_token: null }
  }),
]
