import { findOrder } from '#features/orders/server/orders.store.ts'
import { findReasonNotToCancelPort } from '#features/porting/server/cancel-port.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { getCurrentStep } from '#features/porting/server/port-progress.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import { listDonors } from '#features/porting/server/porting.store.ts'
import { findReasonNotToResubmit } from '#features/porting/server/resubmit-port.ts'
import { readPortDetails, type PortDetails } from '#features/porting/server/port-details.ts'
import { recordAccess } from '#desk/features/access-alerts/server/access-alerts.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { DeskPort } from '../ports.contract.ts'
import { presentContact } from './contact.ts'
import { presentDonorStatistics, readDonorStatistics } from './donor.view.ts'
import { findPortOwner } from './port-owners.store.ts'
import { presentPort } from './ports.present.ts'

export async function showPort(deps: PortingDeps, staff: SignedInStaff, port: ListedPort): Promise<DeskPort> {
  const { db, clock } = deps
  const portRecord = await readPortDetails(db, port)
  const { service, user } = portRecord
  await recordAccess(deps, staff, {
    act: 'port_seen',
    userId: service?.user_id ?? null,
    subject: port.external_id,
  })
  const order = port.order_id ? await findOrder(db, port.order_id) : undefined
  return presentPort(deps, portRecord, {
    now: clock.now(),
    orderCode: order?.order_code ?? null,
    donors: await listDonors(db),
    staffId: staff.id,
    owner: await findPortOwner(db, port.id),
    donor: presentDonorStatistics(deps, await readDonorStatistics(db, port.provider_id, clock.now())),
    contact: await presentContact(deps, portRecord),
    correctWhy: user?.erased_at
      ? 'This customer has been erased.'
      : await findReasonNotToResubmit(db, port, service?.released_at ?? null),
    cancelWhy: findReasonNotToCancelPort(port) ?? getCannotCancelReason(deps, portRecord),
  })
}

/**
 * Returns why a transfer can no longer be cancelled, so that the page offers no cancellation that the network would reject. In all other
 * cases the network decides.
 */
function getCannotCancelReason(
  rules: Pick<PortingDeps, 'market' | 'stepOfPort'>,
  { port, milestones }: PortDetails,
): string | null {
  if (port.status === 'CANCELLING') return 'The transfer is already being cancelled. Waiting for the network’s answer.'
  const { step } = getCurrentStep(rules, port, milestones)
  return step === 'moving' || step === 'moved'
    ? 'The transfer has been confirmed, so it can no longer be cancelled.'
    : null
}
