import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { MailSimulator } from '#simulators/mail/simulator.ts'
import type { Disturbance, ProviderProxy } from './injector.ts'
import { hugeResponseBytes, sendCorruptResponse, writeEndlessly, writePadding } from './corrupt-responses.ts'

export type OpenProviderProxy = ProviderProxy & { url: string; close(): Promise<void> }

const controlPath = '/_simulator/'

/**
 * Starts a proxy in front of an HTTP simulator. Requests to the simulator's own controls are never disturbed, because a real provider has
 * no such controls.
 */
export async function startProviderProxy(target: string): Promise<OpenProviderProxy> {
  const proxy: ProviderProxy = { disturb: null }
  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = asked
    const disturbance = path.startsWith(controlPath) ? null : (proxy.disturb?.({ method, path }) ?? null)
    const body = await buffer(asked)
    if (disturbance?.kind === 'hang up') return void answer.destroy()
    if (disturbance?.kind === 'error') return void answer.writeHead(disturbance.status).end()
    const real = await forwardRequest(target, asked, body)
    if (disturbance?.kind === 'lose answer') return void answer.destroy()
    if (disturbance?.kind === 'slow') await pause(disturbance.ms, undefined, { ref: false })
    else if (disturbance) return sendCorruptResponse(answer, disturbance, real)
    answer.writeHead(real.status, real.headers).end(real.body)
  }
  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closePromise = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closePromise
    },
  })
}

async function forwardRequest(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { 'transfer-encoding': _, connection: __, ...rest } = headers
  const forwardedRequest = request(new URL(url ?? '/', target), {
    method,
    headers: { ...rest, host: new URL(target).host, 'content-length': String(body.length) },
  })
  forwardedRequest.on('response', resolve).on('error', reject).end(body)
  const answer = await promise
  const { 'transfer-encoding': ___, connection: ____, 'keep-alive': _____, ...said } = answer.headers
  return { status: answer.statusCode ?? 500, headers: said, body: await buffer(answer) }
}

/** Starts a proxy in front of a mail relay. What goes wrong with a delivery is decided when its connection is opened. */
export async function startMailProxy(mail: MailSimulator): Promise<OpenProviderProxy> {
  const door: ProviderProxy = { disturb: null }
  const { hostname, port } = new URL(mail.url)
  const ends = new Set<Socket>()
  const server = createTcpServer((near) => {
    ends.add(near)
    near.on('error', () => near.destroy()).on('close', () => ends.delete(near))
    void admit(near, door.disturb?.({ method: 'SMTP', path: '' }) ?? null)
  })
  async function admit(near: Socket, disturbance: Disturbance | null): Promise<void> {
    if (disturbance?.kind === 'hang up') return void near.destroy()
    if (disturbance?.kind === 'error') return void near.end('421 Too busy, try again later\r\n')
    if (disturbance?.kind === 'lose answer') mail.fail({ operation: 'data', kind: 'lost_answer' })
    if (disturbance?.kind === 'slow') await pause(disturbance.ms, undefined, { ref: false })
    if (disturbance && (await sendCorruptGreeting(near, disturbance))) return
    const far = connect(Number(port), hostname)
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(door, {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closePromise = new Promise((resolve) => server.close(resolve))
      for (const end of ends) end.destroy()
      await closePromise
    },
  })
}

/** One line of a longer SMTP greeting. It is not marked as the last, so the client waits for the next. */
const greetingLine = Buffer.from(`220-${'wait '.repeat(100)}\r\n`)

/** Sends a corrupt SMTP greeting. Returns false if the conversation can carry on afterwards. */
async function sendCorruptGreeting(near: Socket, disturbance: Disturbance): Promise<boolean> {
  switch (disturbance.kind) {
    case 'garbled':
      near.end('HTTP/1.1 400 Bad Request\r\n\r\n<html>\u0000\uFFFD</html>')
      return true
    case 'wrong':
      near.end('354 Start mail input\r\n250 Queued\r\n')
      return true
    case 'endless':
      await writeEndlessly(near, disturbance.isSlow, greetingLine)
      return true
    case 'huge':
      await writePadding(near, hugeResponseBytes, greetingLine)
      return false
    default:
      return false
  }
}
