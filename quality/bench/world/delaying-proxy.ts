import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export async function startDelayingProxy(target: string, ms: number): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(target)
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const forwardedRequest = request({ hostname, port, method, path, headers, agent })
    forwardedRequest.once('response', (response) => {
      response.once('error', () => answer.destroy())
      void pause(ms).then(() => response.pipe(answer.writeHead(response.statusCode ?? 502, response.headers)))
    })
    forwardedRequest.once('error', () => answer.destroy())
    asked.pipe(forwardedRequest)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
