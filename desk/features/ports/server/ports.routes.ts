import type { Actor } from '#kit/server/actor.ts'
import { conflict, badRequest, notFound } from '#kit/server/http-error.ts'
import { messageCustomerAboutPort } from '#features/porting/server/message-customer.ts'
import { cancelPort } from '#features/porting/server/cancel-port.ts'
import { findListedPort, type ListedPort } from '#features/porting/server/port-list.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import { resubmitPort } from '#features/porting/server/resubmit-port.ts'
import { formatStoredReason, reminderReason } from '#desk/features/staff/reasons.contract.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  askCustomerForCorrection,
  cancelPort as cancelCall,
  portCorrectionSchemas,
  correctPort,
  releasePort as handBackCall,
  listPorts,
  readPort,
  readPortFigures,
  remindCustomer,
  assignPortToSelf as takeCall,
} from '../ports.contract.ts'
import { cancelOutcomeText } from './cancel.labels.ts'
import { describeSentContact } from './contact.ts'
import { presentPortFigures, readDonorFigures } from './donor.view.ts'
import { showPorts } from './list-ports.ts'
import { assignCorrectedPort, releasePort, assignPortToSelf } from './port-ownership.ts'
import { showPort } from './show-port.ts'

const supportOnly = { who: ['support'] } as const

export function portRoutes(deps: PortingDeps): DeskRoute[] {
  const requirePort = async (reference: string): Promise<ListedPort> => {
    const port = await findListedPort(deps.db, reference)
    if (!port) throw notFound()
    return port
  }
  const contactCustomer = async (reference: string, act: 'remind' | 'ask', actor: Actor): Promise<{ said: string }> => {
    const { external_id: externalId } = await requirePort(reference)
    const result = await messageCustomerAboutPort(deps, { externalId, act }, actor)
    if ('why' in result) throw conflict(result.why)
    return { said: describeSentContact(result, deps) }
  }
  return [
    deskRoute(listPorts, supportOnly, ({ staff, query }) => showPorts(deps, staff, query)),
    deskRoute(readPort, supportOnly, async ({ staff, params }) =>
      showPort(deps, staff, await requirePort(params.reference)),
    ),
    deskRoute(takeCall, supportOnly, async ({ staff, params }) => {
      await assignPortToSelf(deps, staff, await requirePort(params.reference))
      return {}
    }),
    deskRoute(handBackCall, supportOnly, async ({ staff, params }) => {
      await releasePort(deps, staff, await requirePort(params.reference))
      return {}
    }),
    deskRoute(
      correctPort,
      { ...supportOnly, body: () => portCorrectionSchemas[deps.market.phoneRegion] },
      async ({ staff, params, body: { reason, note, ...form } }) => {
        const { external_id: externalId } = await requirePort(params.reference)
        const { msisdn, provider, billing_method: paid, prepaid_sim_number, account_number } = form
        // The billing method follows from the proof: a prepay SIM number or an account number.
        const proof = paid === 'prepay' ? { prepaid_sim_number } : { account_number }
        const resubmission = { externalId, correction: { msisdn, provider, ...proof } }
        const result = await resubmitPort(deps, resubmission, toStaffActor(staff, formatStoredReason({ reason, note })))
        if (result.outcome === 'invalid') throw badRequest(result.errors)
        if (result.outcome === 'impossible') throw conflict(result.why)
        await assignCorrectedPort(deps, staff, await requirePort(result.externalId))
        return { reference: result.externalId }
      },
    ),
    deskRoute(cancelCall, supportOnly, async ({ staff, params, body }) => {
      const port = await requirePort(params.reference)
      const result = await cancelPort(deps, port.external_id, toStaffActor(staff, formatStoredReason(body)))
      if (result.outcome === 'impossible') throw conflict(result.why)
      return { outcome: result.outcome, said: cancelOutcomeText(result, port) }
    }),
    deskRoute(readPortFigures, supportOnly, async () =>
      presentPortFigures(deps, await readDonorFigures(deps.db, deps.clock.now())),
    ),
    deskRoute(remindCustomer, supportOnly, async ({ staff, params: { reference } }) =>
      contactCustomer(reference, 'remind', toStaffActor(staff, reminderReason)),
    ),
    deskRoute(askCustomerForCorrection, supportOnly, async ({ staff, params: { reference }, body }) =>
      contactCustomer(reference, 'ask', toStaffActor(staff, formatStoredReason(body))),
    ),
  ]
}
