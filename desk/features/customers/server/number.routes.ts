import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { readNumber, showSimNumber } from '../number.contract.ts'
import { findCustomerWithAccess, requireAccessToCustomer } from './customers.ts'
import { presentMaskedName, presentName, presentCurrentAccess } from './customers.present.ts'
import { type NumberDeps, readNumberPage, revealSimNumber } from './number.ts'
import { presentNumberPage } from './number.present.ts'

const supportOrFinance = { who: ['support', 'finance'] } as const

export const numberRoutes = (deps: NumberDeps): DeskRoute[] => [
  deskRoute(readNumber, supportOrFinance, async ({ staff, params: { id, service } }) => {
    const { user, opening } = await findCustomerWithAccess(deps, staff, id)
    if (!opening) return { name: presentMaskedName(user), opened: null, number: null }
    return {
      name: presentName(user),
      opened: presentCurrentAccess(opening),
      number: presentNumberPage(await readNumberPage(deps, staff, user, service), deps),
    }
  }),
  deskRoute(showSimNumber, supportOrFinance, async ({ staff, params: { id, service } }) => ({
    iccid: await revealSimNumber(deps, staff, await requireAccessToCustomer(deps, staff, id), service),
  })),
]
