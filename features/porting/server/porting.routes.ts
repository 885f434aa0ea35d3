import type { Db } from '#kit/server/db.ts'
import { type Route, route } from '#kit/server/route.ts'
import { listPortingProviders } from '../porting.contract.ts'
import { listDonors } from './porting.store.ts'

export const portingRoutes = ({ db }: { db: Db }): Route[] => [
  route(listPortingProviders, { access: 'anyone' }, async () => ({ providers: await listDonors(db) })),
]
