import type { RawRequest } from '#kit/server/route.ts'
import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import { search } from '../search.contract.ts'
import { runSearches, type SearchDeps } from './search.ts'
import { presentResults } from './search.present.ts'

const maxSearchesPerHour = 240

export const searchRoutes = (deps: SearchDeps): DeskRoute[] => [
  deskRoute(
    search,
    {
      who: ['support', 'finance'],
      limits: ({ visit }: RawRequest) => [
        { key: `desk-search:${(visit as DeskRequestContext).staff?.id}`, times: maxSearchesPerHour, seconds: 3_600 },
      ],
      // The search page also works without JavaScript, so requests for the page itself count towards the rate limit.
      countsPages: true,
    },
    async ({ staff, query: { q } }) => presentResults(await runSearches(deps, staff, q), deps.market),
  ),
]
