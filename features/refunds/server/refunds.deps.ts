import type { OrderDeps } from '#features/orders/server/orders.deps.ts'

export type RefundDeps = Pick<
  OrderDeps,
  | 'db'
  | 'clock'
  | 'jobs'
  | 'secrets'
  | 'market'
  | 'brandName'
  | 'colours'
  | 'help'
  | 'publicUrl'
  | 'log'
  | 'card'
  | 'thresholds'
>
