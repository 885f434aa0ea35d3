import { formatNational } from '#kit/contract/phone.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { getFailureReason, describePortFailure } from '#features/porting/server/port-failure.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { readPortDetails } from '#features/porting/server/port-details.ts'
import type { Deps } from '../deps.ts'

export type PortRow = ReturnType<typeof presentPortRow>
export type PortView = Awaited<ReturnType<typeof presentPort>>
export type PortPage = { ports: PortRow[]; next: string | null }

export const presentPortRow = (deps: Deps, port: ListedPort) => ({
  reference: port.external_id,
  number: formatNational(port.msisdn),
  from: port.donor_name,
  status: port.status,
  sub_state: port.sub_state,
  failure_code: port.failure_code,
  reason_text: describePortFailure(getFailureReason(deps, port), port.donor_name, deps.market.code),
  created: port.created_at.toISOString(),
  ended: port.ended_at?.toISOString() ?? null,
})

export async function presentPort(deps: Deps, port: ListedPort) {
  const { db } = deps
  const { service, user, requests, events } = await readPortDetails(db, port)
  const order = port.order_id ? await findOrder(db, port.order_id) : undefined
  return {
    ...presentPortRow(deps, port),
    provider: port.provider_id,
    billing_method: port.billing_method,
    prepaid_sim_number: port.prepaid_sim_number,
    account_number: port.account_number,
    service: port.service_id,
    service_number: service ? formatNational(service.msisdn) : '',
    full_name: user ? `${user.first_name} ${user.last_name}`.trim() : '',
    email: user?.email ?? '',
    order_code: order?.order_code ?? null,
    next_try: port.retry_at?.toISOString() ?? null,
    events: events.map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
    requests: requests.map((each) => ({
      ...presentPortRow(deps, each),
      provider: each.provider_id,
      billing_method: each.billing_method,
      prepaid_sim_number: each.prepaid_sim_number,
      account_number: each.account_number,
    })),
  }
}
