import type { HttpAnswer } from '#providers/http/send-http.ts'
import type { Exchanges } from './exchanges.ts'

export const noting =
  <Request extends { method: string; url: string }>(
    send: (request: Request) => Promise<HttpAnswer>,
    exchanges: Exchanges,
  ) =>
  async (request: Request): Promise<HttpAnswer> => {
    const answer = await send(request)
    const { pathname, search } = new URL(request.url)
    exchanges.note({ method: request.method, path: pathname + search, ...answer })
    return answer
  }
