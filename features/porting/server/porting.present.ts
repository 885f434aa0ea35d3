import { formatNational } from '#kit/contract/phone.ts'
import type { PortingRequestView } from '#features/services/services.contract.ts'
import type { LastPort } from '../port-service.contract.ts'
import { billingMethods } from '../porting.contract.ts'
import { hasEndedWithoutTransfer, toWireStatus } from '../porting.states.ts'
import { getFailureReason, describePortFailure } from './port-failure.ts'
import { getPortProgress } from './port-progress.ts'
import type { PortMilestone } from './porting-milestones.store.ts'
import type { PortingDeps } from './porting.deps.ts'
import type { LatestPort, PortingRequest } from './porting.store.ts'

export function presentPorting(
  deps: Pick<PortingDeps, 'market' | 'failureOfPort' | 'stepOfPort'>,
  ports: LatestPort[],
  milestones: Map<string, PortMilestone[]>,
  now: Temporal.Instant,
): Map<string, PortingRequestView> {
  return new Map(
    ports.map((port) => {
      const reason = getFailureReason(deps, port)
      return [
        port.service_id,
        {
          status: toWireStatus(port.status),
          failure_acknowledged_at: port.failure_acknowledged_at?.toISOString() ?? null,
          msisdn: port.msisdn,
          reason,
          reason_text: describePortFailure(reason, port.donor_name, deps.market.code),
          donor: port.donor_name,
          billing_method: billingMethods[port.billing_method],
          requested_at: port.created_at.toISOString(),
          progress: getPortProgress(deps, port, {
            milestones: hasEndedWithoutTransfer(port.status) ? [] : (milestones.get(port.id) ?? []),
            now,
          }),
        },
      ]
    }),
  )
}

export const presentLastPort = (port: PortingRequest | undefined): LastPort | null =>
  port && hasEndedWithoutTransfer(port.status) ? presentPortForm(port) : null

export const presentPortForm = (port: PortingRequest): LastPort => ({
  msisdn: formatNational(port.msisdn),
  provider: port.provider_id,
  billing_method: billingMethods[port.billing_method],
  prepaid_sim_number: port.prepaid_sim_number ?? '',
  account_number: port.account_number ?? '',
})
