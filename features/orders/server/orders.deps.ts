import type { Log } from '#kit/server/log.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import type { PlanDeps } from '#features/services/server/plan-life.deps.ts'

/** What the order machinery works with. */
export type OrderDeps = PortingDeps &
  PlanDeps & {
    log: Log
    card: CardGateway
    issuer: Issuer
    leaseSeconds: number
  }
