import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { reasonLine } from '#desk/features/staff/reasons.contract.ts'
import { actorOf, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  actCalls,
  customer,
  customerActs,
  openCustomer,
  sendAgain,
  showEmail,
  whoLooked,
  writeNote,
} from '../customers.contract.ts'
import { happened } from '../happened.contract.ts'
import {
  act,
  again,
  customerOf,
  happenedTo,
  lookAt,
  looksAt,
  note,
  open,
  openCustomerOf,
  seenBy,
  uncoverEmail,
} from './customers.ts'
import {
  presentClosed,
  presentCustomer,
  presentLook,
  presentName,
  presentOpening,
  presentPage,
} from './customers.present.ts'

const readers = { who: ['support', 'finance'] } as const
const support = { who: ['support'] } as const

export const customerRoutes = (deps: CustomersDeps): DeskRoute[] => [
  deskRoute(customer, readers, async ({ staff, params: { id } }) => {
    const { user, opening } = await lookAt(deps, staff, id)
    if (!opening) return { name: presentClosed(user), opened: null, customer: null }
    return {
      name: presentName(user),
      opened: presentOpening(opening),
      customer: presentCustomer(await seenBy(deps, staff, user), deps),
    }
  }),
  deskRoute(openCustomer, readers, async ({ staff, params: { id }, body }) => {
    await open(deps, staff, (await customerOf(deps, id)).id, body)
    return {}
  }),
  deskRoute(happened, readers, async ({ staff, params: { id }, query: { of, before } }) => {
    const user = await openCustomerOf(deps, staff, id)
    const page = await happenedTo(deps, user, { ...(of && { of }), ...(before !== undefined && { before }) })
    return presentPage(page, user, deps.isComposedAgain)
  }),
  deskRoute(whoLooked, readers, async ({ staff, params: { id }, query: { before } }) => {
    const user = await openCustomerOf(deps, staff, id)
    const { rows, next } = await looksAt(deps, staff, user, before)
    return { name: presentName(user), rows: rows.map(presentLook), next }
  }),
  deskRoute(showEmail, readers, async ({ staff, params: { id } }) => ({
    email: await uncoverEmail(deps, staff, (await openCustomerOf(deps, staff, id)).id),
  })),
  deskRoute(writeNote, support, async ({ staff, params: { id }, body: { body } }) => {
    await note(deps, staff, await openCustomerOf(deps, staff, id), body)
    return {}
  }),
  deskRoute(sendAgain, readers, async ({ staff, params: { id, message }, body }) => ({
    said: await again(deps, message, await openCustomerOf(deps, staff, id), actorOf(staff, reasonLine(body))),
  })),
  ...customerActs.map((name) =>
    deskRoute(actCalls[name], support, async ({ staff, params: { id }, body }) => ({
      said: await act(deps, name, await openCustomerOf(deps, staff, id), { staff, reason: reasonLine(body) }),
    })),
  ),
]
