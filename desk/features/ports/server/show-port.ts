import { findOrder } from '#features/orders/server/orders.store.ts'
import { whyNotOff } from '#features/porting/server/cancel-port.ts'
import type { ListedPort } from '#features/porting/server/port-list.store.ts'
import { stepOf } from '#features/porting/server/port-progress.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import { listDonors } from '#features/porting/server/porting.store.ts'
import { whyNotAgain } from '#features/porting/server/resubmit-port.ts'
import { readWholePort, type WholePort } from '#features/porting/server/whole-port.ts'
import { noteLook } from '#desk/features/alarms/server/alarms.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { DeskPort } from '../ports.contract.ts'
import { contactOf } from './contact.ts'
import { presentDonor, readDonor } from './donor.view.ts'
import { ownerOfPort } from './port-owners.store.ts'
import { presentPort } from './ports.present.ts'

export async function showPort(deps: PortingDeps, staff: SignedInStaff, port: ListedPort): Promise<DeskPort> {
  const { db, clock } = deps
  const whole = await readWholePort(db, port)
  const { service, user } = whole
  await noteLook(deps, staff, {
    act: 'port_seen',
    userId: service?.user_id ?? null,
    subject: port.external_id,
  })
  const order = port.order_id ? await findOrder(db, port.order_id) : undefined
  return presentPort(deps, whole, {
    now: clock.now(),
    orderCode: order?.order_code ?? null,
    donors: await listDonors(db),
    staffId: staff.id,
    owner: await ownerOfPort(db, port.id),
    donor: presentDonor(deps, await readDonor(db, port.provider_id, clock.now())),
    contact: await contactOf(deps, whole),
    correctWhy: user?.erased_at
      ? 'This customer has been erased.'
      : await whyNotAgain(db, port, service?.released_at ?? null),
    cancelWhy: whyNotOff(port) ?? whyLate(deps, whole),
  })
}

/** A cancellation that the network would reject is not offered. In all other cases the network decides. */
function whyLate(rules: Pick<PortingDeps, 'market' | 'stepOfPort'>, { port, milestones }: WholePort): string | null {
  if (port.status === 'CANCELLING') return 'The transfer is already being cancelled. Waiting for the network’s answer.'
  const { step } = stepOf(rules, port, milestones)
  return step === 'moving' || step === 'moved'
    ? 'The transfer is confirmed, and the number is being transferred.'
    : null
}
