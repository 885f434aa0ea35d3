import type { Log } from '#kit/server/log.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'

/** What the order machinery works with. */
export type OrderDeps = PortingDeps & {
  log: Log
  card: CardGateway
  issuer: Issuer
  leaseSeconds: number
  /** Days for which a number stays its customer's after the plan's end. */
  numberKeptDays: number
}
