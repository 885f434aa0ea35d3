import type { RawCall } from '#kit/server/route.ts'
import { deskRoute, type DeskRoute } from '#desk/features/staff/server/staff.guard.ts'
import type { DeskVisit } from '#desk/features/staff/server/visit.ts'
import { search } from '../search.contract.ts'
import { searchFor, type SearchDeps } from './search.ts'
import { presentResults } from './search.present.ts'

const mostAnHour = 240

export const searchRoutes = (deps: SearchDeps): DeskRoute[] => [
  deskRoute(
    search,
    {
      who: ['support', 'finance'],
      limits: ({ visit }: RawCall) => [
        { key: `desk-search:${(visit as DeskVisit).staff?.id}`, times: mostAnHour, seconds: 3_600 },
      ],
      // The search page works without JavaScript, so its searches count too.
      countsPages: true,
    },
    async ({ staff, query: { q } }) => presentResults(await searchFor(deps, staff, q), deps.market),
  ),
]
