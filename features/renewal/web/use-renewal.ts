import type { GenericSchema } from 'valibot'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { orderQuery } from '#features/orders/web/orders.queries.ts'
import type { ShownPrice } from '#features/orders/web/use-payment.ts'
import { type Purchase, usePurchase } from '#features/orders/web/use-purchase.ts'
import { renewPlan } from '../renewal.contract.ts'
import type { PaymentMethod } from './PaymentMethodTabs.tsx'
import type { RenewablePlan } from './renewable-plan.ts'

type RenewalOptions<V extends object> = {
  schema: GenericSchema
  initial: V
  draftKey?: string
  draftOmit?: (keyof V & string)[]
  buys: (values: V) => string
  shows: (values: V) => ShownPrice | undefined
  body: (values: V) => object | Promise<object>
}

export function useRenewal<V extends object>(
  { service, schedule, change }: RenewablePlan,
  { buys, body, ...asked }: RenewalOptions<V>,
): Purchase<V> {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const storageId = `renewal-${schedule.short_id}`
  return usePurchase<V>({
    ...asked,
    place: storageId,
    purchase: (values) => `${storageId}-${buys(values)}`,
    body: async (values) => ({
      uuid: service.uuid,
      schedule: schedule.short_id,
      // Tells the server which plan the customer saw: the one that ends at this instant.
      expiry_date: service.expiry_date,
      ...(await body(values)),
      ...(change && { starts: 'at_end', instead_of: change.instead_of }),
    }),
    send: (body, headers) => api.call(renewPlan, { body, headers }),
    /*
     * Replace the history entry, so that BACK does not return to a form that would buy again. Load the order before the
     * page opens, because the page's heading receives the focus.
     */
    onPaid: (orderCode) =>
      void client
        .prefetchQuery(orderQuery(api, orderCode))
        .then(() => navigate(successPath(orderCode), { replace: true })),
  })
}

export const successPath = (orderCode: string): string =>
  `/services/renew/success/?${new URLSearchParams({ order: orderCode })}`

export const getDraftKey = ({ schedule }: RenewablePlan, paidBy: PaymentMethod): string =>
  `renew-${paidBy}-${schedule.short_id}`
