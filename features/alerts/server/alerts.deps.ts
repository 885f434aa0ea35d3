import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import type { CustomerRead } from '#kit/server/customer-read.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { AlertChannel, Alerts } from '../alerts.contract.ts'

export type AlertsDeps = UsageDeps &
  ServicesDeps &
  Omit<MessageDeps, 'market'> & {
    brandShortName: string
    thresholds: Thresholds
    /** Those of these services that renew by themselves. Wired where everything is: auto-renewal leans on alerts. */
    renewingOf(serviceIds: string[]): Promise<Set<string>>
    /** What is known of the alerts of a customer's service; null where they have no such service. Wired there as well. */
    readAlerts: CustomerRead<{ uuid: string }, KnownAlerts | null>
  }

export type KnownAlerts = {
  /** What was chosen, by the threshold. */
  chosen: Map<number, AlertChannel>
  planEnd: Alerts['before_end']
  isRenewing: boolean
}
