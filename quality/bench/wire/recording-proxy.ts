import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createClientMessageReader, createServerReader } from './client-messages.ts'
import { createRoundTripCounter, type RoundTripCounter, type RoundTripRecord } from './round-trips.ts'

export type RecordingProxy = {
  url: string
  take(): RoundTripRecord
  close(): Promise<void>
}

export async function startRecordingProxy(url: string): Promise<RecordingProxy> {
  const there = new URL(url)
  const counter = createRoundTripCounter()
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: there.hostname, port: Number(there.port || 5432), noDelay: true })
    near.setNoDelay(true)
    recordConnection({ near, far, counter })
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => other.destroy()).on('close', () => ends.delete(end) && other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const here = new URL(url)
  here.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: here.href,
    take: counter.take,
    async close() {
      const closePromise = once(server, 'close')
      server.close()
      for (const end of ends) end.destroy()
      await closePromise
    },
  }
}

function recordConnection({ near, far, counter }: { near: Socket; far: Socket; counter: RoundTripCounter }): void {
  const line = counter.connection()
  const clientReader = createClientMessageReader((said) => (said === 'waits' ? line.waits() : line.asks(said.asked)))
  const serverReader = createServerReader(line.isReady)
  near.on('data', (bytes: Buffer) => {
    clientReader(bytes)
    far.write(bytes)
  })
  far.on('data', (bytes: Buffer) => {
    // Record the server's bytes before passing them on, because the client may respond to them immediately.
    serverReader(bytes)
    near.write(bytes)
  })
}
