import { formatNational } from '#kit/contract/phone.ts'
import { findUser } from '#features/auth/server/users.store.ts'
import { findOrder } from '#features/orders/server/orders.store.ts'
import { reasonOf, sentenceOf } from '#features/porting/server/port-failure.ts'
import { type ListedPort, listPortsOfService } from '#features/porting/server/port-list.store.ts'
import { listPortEvents } from '#features/porting/server/porting-events.store.ts'
import { findService } from '#features/services/server/services.store.ts'
import type { Deps } from '../deps.ts'

export type PortRow = ReturnType<typeof presentPortRow>
export type PortView = Awaited<ReturnType<typeof presentPort>>
export type PortPage = { ports: PortRow[]; next: string | null }

/** A transfer as a list has it. */
export const presentPortRow = (deps: Deps, port: ListedPort) => ({
  reference: port.external_id,
  number: formatNational(port.msisdn),
  from: port.donor_name,
  status: port.status,
  /** Where the network says that it stands, in its own words. */
  sub_state: port.sub_state,
  failure_code: port.failure_code,
  /** What its customer is told; empty where we have no words for it. */
  reason_text: sentenceOf(reasonOf(deps, port), port.donor_name, deps.market.code),
  created: port.created_at.toISOString(),
  ended: port.ended_at?.toISOString() ?? null,
})

/** All that is known of a transfer. */
export async function presentPort(deps: Deps, port: ListedPort) {
  const { db } = deps
  const service = await findService(db, port.service_id)
  const user = service && (await findUser(db, service.user_id))
  const order = port.order_id ? await findOrder(db, port.order_id) : undefined
  const asked = await listPortsOfService(db, port.service_id)
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
    /** When the network is asked next. */
    next_try: port.retry_at?.toISOString() ?? null,
    events: (await listPortEvents(db, port.id)).map(({ at, ...event }) => ({ at: at.toISOString(), ...event })),
    /** Every request of its service, newest first. */
    requests: asked.map((each) => ({
      ...presentPortRow(deps, each),
      provider: each.provider_id,
      billing_method: each.billing_method,
      prepaid_sim_number: each.prepaid_sim_number,
      account_number: each.account_number,
    })),
  }
}
