import type { Actor } from '#kit/server/actor.ts'
import { conflict, invalid, notFound } from '#kit/server/refusal.ts'
import { askCustomerOfPort } from '#features/porting/server/ask-customer.ts'
import { cancelPort } from '#features/porting/server/cancel-port.ts'
import { findListedPort, type ListedPort } from '#features/porting/server/port-list.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import { resubmitPort } from '#features/porting/server/resubmit-port.ts'
import { reasonLine, reminderReason } from '#desk/features/staff/reasons.contract.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  askByText,
  cancelPort as cancelCall,
  correctionSchemas,
  correctPort,
  handBackPort as handBackCall,
  listPorts,
  readPort,
  readPortFigures,
  remindOfPort,
  takePort as takeCall,
} from '../ports.contract.ts'
import { saidOf } from './cancel-words.ts'
import { toldWords } from './contact.ts'
import { presentFigures, readDonors } from './donor.view.ts'
import { showPorts } from './list-ports.ts'
import { goOnWithPort, handBackPort, takePort } from './own-port.ts'
import { showPort } from './show-port.ts'

const support = { who: ['support'] } as const

export function portRoutes(deps: PortingDeps): DeskRoute[] {
  const find = async (reference: string): Promise<ListedPort> => {
    const port = await findListedPort(deps.db, reference)
    if (!port) throw notFound()
    return port
  }
  const ask = async (reference: string, act: 'remind' | 'ask', actor: Actor): Promise<{ said: string }> => {
    const { external_id: externalId } = await find(reference)
    const told = await askCustomerOfPort(deps, { externalId, act }, actor)
    if ('why' in told) throw conflict(told.why)
    return { said: toldWords(told, deps) }
  }
  return [
    deskRoute(listPorts, support, ({ staff, query }) => showPorts(deps, staff, query)),
    deskRoute(readPort, support, async ({ staff, params }) => showPort(deps, staff, await find(params.reference))),
    deskRoute(takeCall, support, async ({ staff, params }) => {
      await takePort(deps, staff, await find(params.reference))
      return {}
    }),
    deskRoute(handBackCall, support, async ({ staff, params }) => {
      await handBackPort(deps, staff, await find(params.reference))
      return {}
    }),
    deskRoute(
      correctPort,
      { ...support, body: () => correctionSchemas[deps.market.phoneRegion] },
      async ({ staff, params, body: { reason, note, ...form } }) => {
        const { external_id: externalId } = await find(params.reference)
        const { msisdn, provider, billing_method: paid, prepaid_sim_number, account_number } = form
        // The given proof determines the billing method.
        const proof = paid === 'prepay' ? { prepaid_sim_number } : { account_number }
        const asked = { externalId, correction: { msisdn, provider, ...proof } }
        const result = await resubmitPort(deps, asked, actorOf(staff, reasonLine({ reason, note })))
        if (result.outcome === 'invalid') throw invalid(result.errors)
        if (result.outcome === 'impossible') throw conflict(result.why)
        await goOnWithPort(deps, staff, await find(result.externalId))
        return { reference: result.externalId }
      },
    ),
    deskRoute(cancelCall, support, async ({ staff, params, body }) => {
      const port = await find(params.reference)
      const result = await cancelPort(deps, port.external_id, actorOf(staff, reasonLine(body)))
      if (result.outcome === 'impossible') throw conflict(result.why)
      return { outcome: result.outcome, said: saidOf(result, port) }
    }),
    deskRoute(readPortFigures, support, async () => presentFigures(deps, await readDonors(deps.db, deps.clock.now()))),
    deskRoute(remindOfPort, support, async ({ staff, params: { reference } }) =>
      ask(reference, 'remind', actorOf(staff, reminderReason)),
    ),
    deskRoute(askByText, support, async ({ staff, params: { reference }, body }) =>
      ask(reference, 'ask', actorOf(staff, reasonLine(body))),
    ),
  ]
}
