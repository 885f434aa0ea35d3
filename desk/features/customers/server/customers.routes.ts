import type { CustomersDeps } from '#features/customers/server/customers.deps.ts'
import { formatStoredReason } from '#desk/features/staff/reasons.contract.ts'
import { toStaffActor, deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  customerActionEndpoints,
  readCustomer,
  customerActionNames,
  openCustomer,
  resendCustomerMessage,
  showEmail,
  listAccessLog,
  writeNote,
} from '../customers.contract.ts'
import { readCustomerHistory } from '../customer-history.contract.ts'
import {
  performCustomerAction,
  resendToCustomer,
  requireCustomer,
  listCustomerHistory,
  findCustomerWithAccess,
  listCustomerAccess,
  addNote,
  recordCustomerAccess,
  requireAccessToCustomer,
  readCustomerPage,
  revealEmail,
} from './customers.ts'
import {
  presentMaskedName,
  presentCustomer,
  presentAccess,
  presentName,
  presentCurrentAccess,
  presentHistoryPage,
} from './customers.present.ts'

const supportOrFinance = { who: ['support', 'finance'] } as const
const supportOnly = { who: ['support'] } as const

export const customerRoutes = (deps: CustomersDeps): DeskRoute[] => [
  deskRoute(readCustomer, supportOrFinance, async ({ staff, params: { id } }) => {
    const { user, opening } = await findCustomerWithAccess(deps, staff, id)
    if (!opening) return { name: presentMaskedName(user), opened: null, customer: null }
    return {
      name: presentName(user),
      opened: presentCurrentAccess(opening),
      customer: presentCustomer(await readCustomerPage(deps, staff, user), deps),
    }
  }),
  deskRoute(openCustomer, supportOrFinance, async ({ staff, params: { id }, body }) => {
    await recordCustomerAccess(deps, staff, (await requireCustomer(deps, id)).id, body)
    return {}
  }),
  deskRoute(readCustomerHistory, supportOrFinance, async ({ staff, params: { id }, query: { of, before } }) => {
    const user = await requireAccessToCustomer(deps, staff, id)
    const page = await listCustomerHistory(deps, user, { ...(of && { of }), ...(before !== undefined && { before }) })
    return presentHistoryPage(page, user, deps.isComposedAgain)
  }),
  deskRoute(listAccessLog, supportOrFinance, async ({ staff, params: { id }, query: { before } }) => {
    const user = await requireAccessToCustomer(deps, staff, id)
    const { rows, next } = await listCustomerAccess(deps, staff, user, before)
    return { name: presentName(user), rows: rows.map(presentAccess), next }
  }),
  deskRoute(showEmail, supportOrFinance, async ({ staff, params: { id } }) => ({
    email: await revealEmail(deps, staff, (await requireAccessToCustomer(deps, staff, id)).id),
  })),
  deskRoute(writeNote, supportOnly, async ({ staff, params: { id }, body: { body } }) => {
    await addNote(deps, staff, await requireAccessToCustomer(deps, staff, id), body)
    return {}
  }),
  deskRoute(resendCustomerMessage, supportOrFinance, async ({ staff, params: { id, message }, body }) => ({
    said: await resendToCustomer(
      deps,
      message,
      await requireAccessToCustomer(deps, staff, id),
      toStaffActor(staff, formatStoredReason(body)),
    ),
  })),
  ...customerActionNames.map((name) =>
    deskRoute(customerActionEndpoints[name], supportOnly, async ({ staff, params: { id }, body }) => ({
      said: await performCustomerAction(deps, name, await requireAccessToCustomer(deps, staff, id), {
        staff,
        reason: formatStoredReason(body),
      }),
    })),
  ),
]
