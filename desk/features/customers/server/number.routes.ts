import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { numberOfCustomer, showSim } from '../number.contract.ts'
import { lookAt, openCustomerOf } from './customers.ts'
import { presentClosed, presentName, presentOpening } from './customers.present.ts'
import { type NumberDeps, numberSeenBy, uncoverSim } from './number.ts'
import { presentNumberPage } from './number.present.ts'

const readers = { who: ['support', 'finance'] } as const

export const numberRoutes = (deps: NumberDeps): DeskRoute[] => [
  deskRoute(numberOfCustomer, readers, async ({ staff, params: { id, service } }) => {
    const { user, opening } = await lookAt(deps, staff, id)
    if (!opening) return { name: presentClosed(user), opened: null, number: null }
    return {
      name: presentName(user),
      opened: presentOpening(opening),
      number: presentNumberPage(await numberSeenBy(deps, staff, user, service), deps),
    }
  }),
  deskRoute(showSim, readers, async ({ staff, params: { id, service } }) => ({
    iccid: await uncoverSim(deps, staff, await openCustomerOf(deps, staff, id), service),
  })),
]
