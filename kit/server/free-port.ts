import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { ConfigError } from './config.ts'

/*
 * Processes that start together have neighbouring ids. Each process searches its own range of a hundred ports from a random start, so that
 * no two processes pick the same port before either listens. A program can take seconds to start listening.
 */
const firstPort = 20_000 + (process.pid % 120) * 100
let nextOffset = randomInt(100)

/**
 * Finds a free port on `host` for an address that must be known before the server exists. The port is below the system's ephemeral ports,
 * so no outgoing connection takes it in the meantime.
 * @throws ConfigError if a hundred ports in a row are taken, or if the host is not an address of this machine
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = firstPort + (nextOffset++ % 100)
    if (await isPortFree(port, host)) return port
  }
  throw new ConfigError([`No port is free at ${host}, or ${host} is not an address of this machine.`])
}

export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer().once('error', () => resolve(false))
  server.listen(port, host, () => server.close(() => resolve(true)))
  return promise
}
