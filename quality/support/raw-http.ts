import { request } from 'node:http'

/**
 * Sends a request that `fetch` would refuse to send, and returns the response. The path is sent unchanged, and any method, headers and
 * local address may be used.
 */
export function sendRawRequest(
  origin: string,
  {
    method = 'GET',
    path,
    headers = {},
    body = '',
    from,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string; from?: string },
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(origin)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const sent = { ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
  const call = request(
    { hostname, port, method, path, headers: sent, agent: false, ...(from && { localAddress: from }) },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    },
  )
  call.on('error', reject)
  call.end(body)
  return promise
}
