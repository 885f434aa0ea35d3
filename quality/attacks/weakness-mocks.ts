import { vi } from 'vitest'
import { addWeaknessHooks, stage, addPlantedWeakness } from './planted-weakness.ts'
import { createPlantedRoutes } from './planted-routes.ts'

/*
 * These mocks add hooks to Fantail, through which a test can plant a weakness by setting `stage.plant`. No weakness is planted to begin
 * with, and Fantail's own code contains no such hooks.
 */

vi.mock(import('fastify'), async (load) => {
  const real = await load()
  const open = (options: { logger: object }) => {
    const logger = { ...options.logger, stream: { write: (line: string) => void stage.log.push(line) } }
    return addWeaknessHooks(real.default({ ...options, logger }))
  }
  return { ...real, default: open as unknown as typeof real.default }
})

vi.mock(import('#app/api.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    apiRoutes: (deps) =>
      addPlantedWeakness(
        'db' in deps ? [...real.apiRoutes(deps), ...createPlantedRoutes(deps)] : real.apiRoutes(deps),
        deps,
      ),
  }
})

vi.mock(import('#desk/app/desk-routes.ts'), async (load) => {
  const real = await load()
  return { ...real, deskRoutes: (deps) => addPlantedWeakness(real.deskRoutes(deps), deps) }
})

vi.mock(import('#kit/server/csrf.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    csrfError(request, session, publicUrl) {
      const ask = () => real.csrfError(request, session, publicUrl)
      return stage.plant?.csrfFault ? stage.plant.csrfFault(request, ask) : ask()
    },
  }
})

vi.mock(import('#kit/server/limits.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    countLimitUse: async (db, limits) => (stage.plant?.unlimited ? undefined : real.countLimitUse(db, limits)),
    tryCountLimitUse: async (db, limits) => (stage.plant?.unlimited ? true : real.tryCountLimitUse(db, limits)),
    countFirstAvailableLimits: async (db, lists) =>
      stage.plant?.unlimited ? (lists[0] ?? []) : real.countFirstAvailableLimits(db, lists),
  }
})

vi.mock(import('#kit/server/session.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    async readSession(db, secrets, cookie, find) {
      const { session, user } = await real.readSession(db, secrets, cookie, find)
      const token = cookie?.split('.')[0] ?? ''
      if (user) stage.sessions.set(token, user)
      const ended = stage.plant?.endless && stage.sessions.get(token)
      if (!ended || session.userId) return { session, user }
      const csrfToken = session.formerCsrfTokens?.[0] ?? session.csrfToken
      return { session: { ...session, id: null, userId: ended.id, fresh: false, csrfToken }, user: ended }
    },
  }
})

vi.mock(import('#kit/server/overload/recent-visitors.ts'), async (load) => {
  const real = await load()
  return { ...real, createRecentVisitors: () => (stage.known = real.createRecentVisitors()) }
})

vi.mock(import('#providers/card/notification.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    readNotifications(body, config) {
      type Items = {
        notificationItems?: {
          NotificationRequestItem: Record<string, string> & { amount: { value: number; currency: string } }
        }[]
      }
      if (!stage.plant?.unsigned) return real.readNotifications(body, config)
      const items = (body as Items | undefined)?.notificationItems ?? []
      const ours = items.map(
        ({ NotificationRequestItem: item }) =>
          ({
            ...item,
            success: item['success'] === 'true',
            amount: item.amount.value,
            currency: item.amount.currency,
          }) as never,
      )
      return { ours, ignored: 0 }
    },
  }
})

vi.mock(import('#features/auth/server/auth.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    async findOrCreateOrderAccount(trx, clock, order) {
      const addressOwner =
        stage.plant?.oneAccountAnAddress &&
        (await trx.selectFrom('users').select('id').where('email', '=', order.email).executeTakeFirst())
      return addressOwner ? { userId: addressOwner.id, isNew: false } : real.findOrCreateOrderAccount(trx, clock, order)
    },
  }
})
