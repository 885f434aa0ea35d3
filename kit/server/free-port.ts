import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { ConfigFault } from './config.ts'

// Processes that are started together have neighbouring numbers: each looks through a hundred ports of its own, from anywhere
// among them, so that no two find the same one free before either listens, which may take a program seconds to do.
const own = 20_000 + (process.pid % 120) * 100
let turn = randomInt(100)

/**
 * A port of `host` that is free now, for an address that has to be known before there is a server. It lies below
 * those that systems hand out by themselves, so that no connection takes it in the meantime.
 * @throws ConfigFault when a hundred in a row are taken, or the host is not an address of this machine
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = own + (turn++ % 100)
    if (await isFree(port, host)) return port
  }
  throw new ConfigFault([`No port is free at ${host}, or ${host} is not an address of this machine.`])
}

/** Whether a server could listen there now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => resolve(false))
  server.listen(port, host, () => server.close(() => resolve(true)))
  return promise
}
