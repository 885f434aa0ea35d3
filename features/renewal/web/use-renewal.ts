import type { GenericSchema } from 'valibot'
import { useApi } from '#kit/web/api.tsx'
import { useQueryClient } from '#kit/web/query/use-query.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { orderQuery } from '#features/orders/web/orders.queries.ts'
import type { Shown } from '#features/orders/web/use-payment.ts'
import { type Purchase, usePurchase } from '#features/orders/web/use-purchase.ts'
import { recharge } from '../renewal.contract.ts'
import type { PaidBy } from './PaymentTypes.tsx'
import type { Renewed } from './renewed.ts'

type Options<V extends object> = {
  schema: GenericSchema
  initial: V
  draftKey?: string
  draftOmit?: (keyof V & string)[]
  buys: (values: V) => string
  shows: (values: V) => Shown | undefined
  body: (values: V) => object | Promise<object>
}

export function useRenewal<V extends object>(
  { service, schedule, change }: Renewed,
  { buys, body, ...asked }: Options<V>,
): Purchase<V> {
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const place = `renewal-${schedule.short_id}`
  return usePurchase<V>({
    ...asked,
    place,
    purchase: (values) => `${place}-${buys(values)}`,
    body: async (values) => ({
      uuid: service.uuid,
      schedule: schedule.short_id,
      // The page's text is about the plan with this end.
      expiry_date: service.expiry_date,
      ...(await body(values)),
      ...(change && { starts: 'at_end', instead_of: change.instead_of }),
    }),
    send: (body, headers) => api.call(recharge, { body, headers }),
    // Replaces the history entry, so that BACK does not lead to a form that buys again. The order is loaded before the
    // page opens, because the page's heading receives the focus.
    onPaid: (orderCode) =>
      void client
        .prefetchQuery(orderQuery(api, orderCode))
        .then(() => navigate(successOf(orderCode), { replace: true })),
  })
}

export const successOf = (orderCode: string): string =>
  `/services/renew/success/?${new URLSearchParams({ order: orderCode })}`

export const draftOf = ({ schedule }: Renewed, paidBy: PaidBy): string => `renew-${paidBy}-${schedule.short_id}`
