import { forbidden } from '#kit/server/http-error.ts'
import { maskName } from '#kit/server/masks.ts'
import { isUuid } from '#kit/server/uuid.ts'
import { presentMaskedName } from '#desk/features/customers/server/customers.present.ts'
import { maxResultsPerGroup } from '#desk/features/search/search.contract.ts'
import { runSearches, type SearchDeps } from '#desk/features/search/server/search.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { staffMessages } from '#desk/features/staff/staff.contract.ts'
import { canSeeCustomers, type CustomerMatches, findCustomerName } from './audit.view.ts'

/**
 * Returns the customers that a filter selects; `null` if it selects none, so that the trail is not narrowed. A search is logged as usual.
 * @throws 403 for a search by staff who may not see customers
 */
export async function matchCustomers(
  deps: SearchDeps,
  staff: SignedInStaff,
  { q, customer }: { q?: string | undefined; customer?: string | undefined },
): Promise<CustomerMatches | null> {
  if (q && !canSeeCustomers(staff)) throw forbidden(staffMessages.notYours)
  const id = customer ?? (q && isUuid(q) ? q : undefined)
  if (id) {
    const user = canSeeCustomers(staff) ? await findCustomerName(deps.db, id) : undefined
    return { customers: [{ id, name: user ? presentMaskedName(user) : null }], hasMore: false }
  }
  if (!q) return null
  const { groups } = await runSearches(deps, staff, q)
  const names = new Map<string, string>()
  for (const { user_id: userId, first_name: first, last_name: last } of groups.flatMap(({ hits }) => hits))
    if (userId) names.set(userId, maskName({ first, last }))
  return {
    customers: [...names].map(([userId, name]) => ({ id: userId, name })),
    hasMore: groups.some(({ hits, tooLong }) => tooLong || hits.length > maxResultsPerGroup),
  }
}
