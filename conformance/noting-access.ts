import type { Access } from '#providers/tmf/access.ts'
import type { Exchanges } from './exchanges.ts'

/** A way to a carrier that notes what comes back. */
export const notingAccess =
  (access: Access, exchanges: Exchanges): Access =>
  async (request) => {
    const answer = await access(request)
    const { pathname, search } = new URL(request.url)
    exchanges.note({ method: request.method, path: pathname + search, ...answer })
    return answer
  }
