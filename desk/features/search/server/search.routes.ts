import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import { search } from '../search.contract.ts'
import { searchLimits } from './search-limits.ts'
import { runSearches, type SearchDeps } from './search.ts'
import { presentResults } from './search.present.ts'

export const searchRoutes = (deps: SearchDeps): DeskRoute[] => [
  deskRoute(
    search,
    {
      who: ['support', 'finance'],
      limits: searchLimits,
      // The search page also works without JavaScript, so requests for the page itself count towards the rate limit.
      countsPages: true,
    },
    async ({ staff, query: { q } }) => presentResults(await runSearches(deps, staff, q), deps.market),
  ),
]
