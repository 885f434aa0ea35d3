import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type DatabaseProxy = {
  url: string
  cut(): Promise<void>
  mend(): Promise<void>
}

export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const there = new URL(url)
  const ends = new Set<Socket>()
  const server: Server = createServer((near) => {
    const far = connect(Number(there.port || 5432), there.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy()).on('close', () => ends.delete(from) && to.destroy())
    }
  })
  const startListening = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await startListening(0)
  const { port } = server.address() as AddressInfo
  const here = new URL(url)
  here.hostname = '127.0.0.1'
  here.port = String(port)
  return {
    url: here.href,
    async cut() {
      if (!server.listening) return
      const closePromise = once(server, 'close')
      server.close()
      for (const end of ends) end.destroy()
      await closePromise
    },
    mend: () => startListening(port),
  }
}
