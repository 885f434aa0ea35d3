import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { AlertChannel, AlertSettings } from '../alerts.contract.ts'

export type AlertsDeps = UsageDeps &
  ServicesDeps &
  Omit<MessageDeps, 'market'> & {
    brandShortName: string
    thresholds: Thresholds
    /**
     * Returns the ids of those services that have auto-renewal on. Injected by the application, because the
     * auto-renewal feature depends on the alerts feature.
     */
    renewingOf(serviceIds: string[]): Promise<Set<string>>
    readAlerts: CustomerDataReader<{ uuid: string }, StoredAlerts | null>
  }

export type StoredAlerts = {
  /** The channel that the customer chose for each usage threshold. Keys are percentages. */
  chosen: Map<number, AlertChannel>
  planEnd: AlertSettings['before_end']
  isRenewing: boolean
}
