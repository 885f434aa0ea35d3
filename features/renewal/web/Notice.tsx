import { Banner } from '#kit/web/widgets/Banner.tsx'
import type { Service } from '#features/services/services.contract.ts'
import { renewalMessages } from '../renewal.contract.ts'

/** What a renewal costs beside its price, as long as there is something to lose. */
export function Notice({ service }: { service: Service }) {
  return service.is_expired ? null : <Banner kind="warn">{renewalMessages.notice}</Banner>
}
