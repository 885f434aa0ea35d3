import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy that can go silent, like a host that disappears. Connections then stay open and new ones are accepted, but nothing gets
 * through in either direction, not even that one end has closed.
 */
export type TcpProxy = {
  port: number
  silence(): void
  /**
   * Resumes forwarding data. Connections that were silenced stay broken, because they have lost data; they discard everything until they
   * are closed.
   */
  restore(): void
  cut(): void
  aim(target: TcpTarget): void
  close(): Promise<void>
}

export type TcpTarget = {
  host: string
  port: number
  /** Changes the first bytes sent on a connection, because a database at a different address may have a different name. */
  begin?(bytes: Buffer): Buffer
}

export async function startTcpProxy(target: TcpTarget): Promise<TcpProxy> {
  let mode: 'carries' | 'silent' | 'cut' = 'carries'
  let there = target
  const lines = new Set<{ isLost: boolean }>()
  const ends = new Set<Socket>()
  const known = (end: Socket): Socket => ends.add(end) && end.on('close', () => ends.delete(end))
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (mode === 'cut') return void near.destroy()
    known(near).on('error', () => near.destroy())
    if (mode === 'silent') return void near.resume()
    const line = { isLost: false }
    lines.add(line)
    const { host, port, begin } = there
    const far = known(connect({ host, port, allowHalfOpen: true }))
    carry(near, far, { line, ...(begin && { begin }) })
    carry(far, near, { line })
    far.on('error', () => far.destroy())
    // If a connection has been silenced, don't tell one side that the other has closed.
    near.on('close', () => lines.delete(line) && !line.isLost && far.destroy())
    far.on('close', () => !line.isLost && near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyConnections = (): void => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      mode = 'silent'
      for (const line of lines) line.isLost = true
      // Discard data that was still waiting for the other side, too.
      for (const end of ends) end.resume()
    },
    restore() {
      mode = 'carries'
    },
    cut() {
      mode = 'cut'
      destroyConnections()
    },
    aim(target) {
      there = target
    },
    async close() {
      const closePromise = once(server, 'close')
      server.close()
      destroyConnections()
      await closePromise
    },
  }
}

function carry(
  from: Socket,
  to: Socket,
  { line, begin }: { line: { isLost: boolean }; begin?: TcpTarget['begin'] },
): void {
  let change = begin
  from.on('data', (bytes: Buffer) => {
    if (line.isLost) return
    const sent = change?.(bytes) ?? bytes
    change = undefined
    if (to.write(sent)) return
    from.pause()
    to.once('drain', () => from.resume())
  })
  from.on('end', () => !line.isLost && to.end())
}
