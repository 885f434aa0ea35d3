import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { readClient, readServer } from './client-messages.ts'
import { createTripCounter, type TripCounter, type Trips } from './trips.ts'

export type Wire = {
  url: string
  take(): Trips
  close(): Promise<void>
}

export async function layWire(url: string): Promise<Wire> {
  const there = new URL(url)
  const counter = createTripCounter()
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: there.hostname, port: Number(there.port || 5432), noDelay: true })
    near.setNoDelay(true)
    listen({ near, far, counter })
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
      const closed = once(server, 'close')
      server.close()
      for (const end of ends) end.destroy()
      await closed
    },
  }
}

function listen({ near, far, counter }: { near: Socket; far: Socket; counter: TripCounter }): void {
  const line = counter.connection()
  const fromClient = readClient((said) => (said === 'waits' ? line.waits() : line.asks(said.asked)))
  const fromServer = readServer(line.isReady)
  near.on('data', (bytes: Buffer) => {
    fromClient(bytes)
    far.write(bytes)
  })
  far.on('data', (bytes: Buffer) => {
    // Record before the client can send more.
    fromServer(bytes)
    near.write(bytes)
  })
}
