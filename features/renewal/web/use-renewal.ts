import type { GenericSchema } from 'valibot'
import { useApi } from '#kit/web/api.tsx'
import { useNavigate } from '#kit/web/router/location.ts'
import { type Purchase, usePurchase } from '#features/orders/web/use-purchase.ts'
import { recharge } from '../renewal.contract.ts'
import type { Renewed } from './renewed.ts'

type Options<V extends object> = {
  schema: GenericSchema
  initial: V
  draftKey?: string
  /** Names what it is renewed with: a product, or a voucher's code. */
  buys: (values: V) => string
  /** What is sent beside the names of the service and its schedule. */
  body: (values: V) => object | Promise<object>
}

/** A form that renews a plan; then it leads to the page that says so. */
export function useRenewal<V extends object>(
  { service, schedule }: Renewed,
  { schema, initial, draftKey, buys, body }: Options<V>,
): Purchase<V> {
  const api = useApi()
  const navigate = useNavigate()
  const place = `renewal-${schedule.short_id}`
  return usePurchase<V>({
    schema,
    initial,
    draftKey,
    place,
    purchase: (values) => `${place}-${buys(values)}`,
    body: async (values) => ({ uuid: service.uuid, schedule: schedule.short_id, ...(await body(values)) }),
    send: (body, headers) => api.call(recharge, { body, headers }),
    // BACK from there must not lead to a form that buys once more.
    onPaid: (orderCode) =>
      navigate('/services/renew/success/', { replace: true, state: { orderCode, uuid: service.uuid } }),
  })
}

export const draftOf = ({ schedule }: Renewed, paidBy: 'card' | 'voucher'): string =>
  `renew-${paidBy}-${schedule.short_id}`
