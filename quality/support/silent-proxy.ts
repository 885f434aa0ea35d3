import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A line to a server that can go silent as a host does that vanishes: what was connected stays so, new connections are made,
 * and no byte passes either way, nor does anybody hear of an end.
 */
export type TcpProxy = {
  port: number
  /** Swallows everything from now on, both ways; what is swallowed never comes. */
  silence(): void
  /** Carries again. What was silenced stays broken, as its bytes are lost; it goes on swallowing until it is closed. */
  restore(): void
  /** Breaks every connection so that both ends hear of it, and refuses new ones until `restore`. */
  cut(): void
  /** Another server from the next connection on: what stands behind an address after a failover. */
  aim(target: TcpTarget): void
  close(): Promise<void>
}

export type TcpTarget = {
  host: string
  port: number
  /** What is sent first is changed on its way: a database has another name behind another address. */
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
    // An end of one side is not heard of by the other, either, once the line is lost.
    near.on('close', () => lines.delete(line) && !line.isLost && far.destroy())
    far.on('close', () => !line.isLost && near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = (): void => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      mode = 'silent'
      for (const line of lines) line.isLost = true
      // What waited for the other side to take more goes on being swallowed.
      for (const end of ends) end.resume()
    },
    restore() {
      mode = 'carries'
    },
    cut() {
      mode = 'cut'
      breakAll()
    },
    aim(target) {
      there = target
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
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
