import { floodLogins } from '../login-flood.ts'
import type { Injector } from '../injector.ts'

export const overload: Injector = {
  name: 'overload',
  needs: [],
  settlesWithin: 120,
  lasts: 30,
  start(world) {
    world.log('overload: 200 clients at the login')
    const flood = floodLogins(world.url, 200)
    return {
      async stop() {
        const { statuses, p99 } = await flood.stop()
        const told = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
        world.log(`overload: ${told.join(', ')}; 99 of 100 within ${Math.round(p99)} ms`)
      },
    }
  },
}
