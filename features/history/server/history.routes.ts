import { formatNational } from '#kit/contract/phone.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { RequestContext } from '#kit/server/request-context.ts'
import { findCurrentOrFormerService } from '#features/services/server/own-service.store.ts'
import { type History, readAdvice, readHistory } from '../history.contract.ts'
import type { HistoryDeps } from './history.deps.ts'
import { createHistoryFile } from './history-file.ts'
import { presentCycle, presentHistory } from './history.present.ts'
import { readEndedCycles, readYearlyUsage } from './history.ts'
import { readPlanAdvice } from './plan-advice.ts'

const requestLimits = ({ visit }: { visit: RequestContext }) => [
  { key: `history:${visit.user?.id ?? visit.clientIp}`, times: 120, seconds: 60 },
]

export const historyRoutes = (deps: HistoryDeps): Route[] => [
  route(
    readHistory,
    {
      access: 'verified',
      limits: requestLimits,
      find: ({ visit: { user }, params: { uuid } }) => findHistory(deps, { userId: user.id, serviceId: uuid }),
    },
    async ({ found }) => found,
  ),
  route(readAdvice, { access: 'verified', limits: requestLimits }, ({ visit: { user }, query }) =>
    readPlanAdvice(deps, user.id, query.uuid),
  ),
]

export async function findHistory(
  deps: HistoryDeps,
  owner: { userId: string; serviceId: string },
): Promise<History | null> {
  const service = await findCurrentOrFormerService(deps.db, owner.userId, owner.serviceId)
  if (!service) return null
  return presentHistory(await readYearlyUsage(deps, owner), {
    phoneNumber: formatNational(service.msisdn),
    zone: deps.market.zone,
  })
}

export async function findHistoryFile(
  deps: HistoryDeps,
  owner: { userId: string; serviceId: string },
  format: 'csv' | 'json',
) {
  const history = await findHistory(deps, owner)
  return history && createHistoryFile(history, presentedCycles(deps, owner.serviceId, history), format)
}

async function* presentedCycles(deps: HistoryDeps, serviceId: string, { starts_on: first }: History) {
  for await (const page of readEndedCycles(deps, serviceId, first))
    yield page.map((cycle) => presentCycle(cycle, deps.market.zone))
}
