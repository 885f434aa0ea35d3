import type { MessageDeps } from '#features/messages/server/messages.ts'
import type { ServicesDeps } from '#features/services/server/services.deps.ts'
import type { UsageDeps } from '#features/usage/server/usage.deps.ts'
import type { Ids } from '#kit/server/read-together.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'

export type AlertsDeps = UsageDeps &
  ServicesDeps &
  Omit<MessageDeps, 'market'> & {
    brandShortName: string
    thresholds: Thresholds
    /** Those of these services that renew by themselves. Wired where everything is: auto-renewal leans on alerts. */
    renewingOf(serviceIds: Ids): Promise<Set<string>>
  }
