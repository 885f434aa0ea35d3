import { Agent, request } from 'node:http'
import type { Visitor } from '#quality/support/visitor.ts'

export type Request = { method: string; path: string; headers: Record<string, string>; body?: string }
export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** Processor time of this thread, which also runs Fantail. */ ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

export function send(origin: string, { method, path, headers, body = '' }: Request): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const before = process.threadCpuUsage()
  const call = request(
    {
      hostname,
      port,
      method,
      path,
      agent,
      headers: { ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) },
    },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        const { user, system } = process.threadCpuUsage(before)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          ms: (user + system) / 1_000,
        })
      })
    },
  )
  call.on('error', reject)
  call.end(body)
  return promise
}

export const endConnections = (): void => agent.destroy()

export function headersOf(visitor: Visitor, { token = true } = {}): Record<string, string> {
  const cookies = visitor.cookies().filter(([, value]) => value !== '')
  return {
    ...(cookies.length > 0 && { cookie: cookies.map(([name, value]) => `${name}=${value}`).join('; ') }),
    ...(token && { 'x-csrftoken': visitor.cookie('csrftoken') ?? '' }),
    'accept-encoding': 'identity',
  }
}
