import { connect } from 'node:net'

/** Whose statement: as the driver has it of the server. */
export type Backend = { host: string; port: number; processID: number | null; secretKey: number | null }

const cancelRequest = 80_877_102

/**
 * Asks the server to end what it is at for a connection: without that it would go on, and wait for locks, with nobody there to hear the
 * answer. True when the server has heard it, which it says by hanging up.
 */
export function cancelStatement({ host, port, processID, secretKey }: Backend, withinMs: number): Promise<boolean> {
  if (processID === null || secretKey === null) return Promise.resolve(false)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  const end = (isHeard: boolean): void => {
    clearTimeout(timer)
    socket.destroy()
    resolve(isHeard)
  }
  const timer = setTimeout(() => end(false), withinMs)
  socket.on('connect', () => {
    const message = Buffer.alloc(16)
    for (const [at, word] of [16, cancelRequest, processID, secretKey].entries()) message.writeInt32BE(word, at * 4)
    socket.write(message)
  })
  // Without this its end is never told.
  socket.resume()
  socket.on('error', () => end(false))
  socket.on('end', () => end(true))
  return promise
}

/** Whether the server still hears anybody: a request with another key than the connection's cancels nothing. */
export const isAnybodyThere = ({ host, port, processID, secretKey }: Backend, withinMs: number): Promise<boolean> =>
  cancelStatement({ host, port, processID, secretKey: secretKey === null ? null : ~secretKey }, withinMs)
