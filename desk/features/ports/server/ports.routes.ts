import { type Place, readPlace } from '#kit/server/page.ts'
import { conflict, invalid, notFound } from '#kit/server/refusal.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { cancelPort } from '#features/porting/server/cancel-port.ts'
import { findListedPort, type ListedPort } from '#features/porting/server/port-list.store.ts'
import { lookedAtFrom } from '#features/porting/server/porting-hours.ts'
import { milestonesOfPorts } from '#features/porting/server/porting-milestones.store.ts'
import type { PortingDeps } from '#features/porting/server/porting.deps.ts'
import { resubmitPort } from '#features/porting/server/resubmit-port.ts'
import { reasonLine } from '#desk/features/staff/reasons.contract.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { cancelPort as cancelCall, correctionSchemas, correctPort, listPorts, readPort } from '../ports.contract.ts'
import { saidOf } from './cancel-words.ts'
import { presentPortRow } from './ports.present.ts'
import { countPorts, listPortsOf } from './ports.view.ts'
import { showPort } from './show-port.ts'

const support = { who: ['support'] } as const

export function portRoutes(deps: PortingDeps): DeskRoute[] {
  const { db, clock } = deps
  const find = async (reference: string): Promise<ListedPort> => {
    const port = await findListedPort(db, reference)
    if (!port) throw notFound()
    return port
  }
  return [
    deskRoute(listPorts, support, async ({ query: { of, before } }) => {
      const now = clock.now()
      const { rows, next } = await listPortsOf(deps, { of, before: placeOf(before) })
      const milestones = await milestonesOfPorts(
        db,
        rows.map(({ id }) => id),
      )
      return {
        now: now.toString({ fractionalSecondDigits: 3 }),
        rows: rows.map((row) =>
          presentPortRow(deps, row, { milestones: milestones.get(row.id) ?? [], now, waits: of === 'need' }),
        ),
        next,
        counts: await countPorts(deps),
        looked_at_from: lookedAtFrom(now, deps.market)?.toString() ?? null,
      }
    }),
    deskRoute(readPort, support, async ({ staff, params }) => showPort(deps, staff, await find(params.reference))),
    deskRoute(
      correctPort,
      { ...support, body: () => correctionSchemas[deps.market.phoneRegion] },
      async ({ staff, params, body: { reason, note, ...form } }) => {
        const { external_id: externalId } = await find(params.reference)
        const { msisdn, provider, billing_method: paid, prepaid_sim_number, account_number } = form
        // Which of the two is given says how it is paid for.
        const proof = paid === 'prepay' ? { prepaid_sim_number } : { account_number }
        const asked = { externalId, correction: { msisdn, provider, ...proof } }
        const result = await resubmitPort(deps, asked, actorOf(staff, reasonLine({ reason, note })))
        if (result.outcome === 'invalid') throw invalid(result.errors)
        if (result.outcome === 'impossible') throw conflict(result.why)
        return { reference: result.externalId }
      },
    ),
    deskRoute(cancelCall, support, async ({ staff, params, body }) => {
      const port = await find(params.reference)
      const result = await cancelPort(deps, port.external_id, actorOf(staff, reasonLine(body)))
      if (result.outcome === 'impossible') throw conflict(result.why)
      return { outcome: result.outcome, said: saidOf(result, port) }
    }),
  ]
}

/** Null for what is no place of ours: the list begins anew. */
function placeOf(text = ''): Place | null {
  const place = readPlace(text)
  return place && isUuid(place.key) ? place : null
}
