import { notFound } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import { saveNumberName, showPuk } from '../own-number.contract.ts'
import type { OwnNumberDeps } from './own-number.deps.ts'
import { findOwnService } from './own-service.store.ts'
import { readOwnPuk } from './puk.ts'
import { renameService } from './services.store.ts'

export const ownNumberRoutes = (deps: OwnNumberDeps): Route[] => [
  route(
    saveNumberName,
    {
      access: 'verified',
      limits: ({ visit }) => [{ key: `name-number:${visit.user?.id ?? visit.clientIp}`, times: 60, seconds: 3_600 }],
      find: ({ visit: { user }, params: { uuid } }) => findOwnService(deps.db, user.id, uuid),
    },
    async ({ visit: { user }, found, body: { name } }) => {
      const nameOrNull = name === '' ? null : name
      if (!(await renameService(deps.db, { userId: user.id, uuid: found.id }, nameOrNull))) throw notFound()
      return { name: nameOrNull }
    },
  ),
  route(
    showPuk,
    {
      access: 'verified',
      limits: ({ visit }) => [{ key: `puk:${visit.user?.id ?? visit.clientIp}`, times: 30, seconds: 3_600 }],
      find: ({ visit: { user }, params: { uuid } }) => findOwnService(deps.db, user.id, uuid),
    },
    async ({ visit, found, body }) => ({ puk: await readOwnPuk(deps, visit, found, body.password) }),
  ),
]
