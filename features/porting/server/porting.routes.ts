import { type Route, route } from '#kit/server/route.ts'
import { listPortingProviders } from '../porting.contract.ts'
import { findProcessingStart } from './porting-hours.ts'
import type { PortingDeps } from './porting.deps.ts'
import { listDonors } from './porting.store.ts'

export const portingRoutes = ({ db, clock, market }: Pick<PortingDeps, 'db' | 'clock' | 'market'>): Route[] => [
  route(listPortingProviders, { access: 'anyone' }, async () => ({
    providers: await listDonors(db),
    looked_at_from: findProcessingStart(clock.now(), market)?.toString() ?? null,
  })),
]
