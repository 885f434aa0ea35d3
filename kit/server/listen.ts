import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigError } from './config.ts'

type ListenAddress = {
  host: string
  port: number
  settings: { host: string; port: string }
}

/**
 * Listens on a port and returns its number, which differs from `port` only if that is 0.
 * @throws ConfigError with a one-line message if the system does not allow it
 */
export async function listen(app: FastifyInstance, place: ListenAddress): Promise<number> {
  try {
    await app.listen({ host: place.host, port: place.port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === '') throw error
    throw new ConfigError([getListenErrorMessage(place, code)])
  }
  return (app.server.address() as AddressInfo).port
}

function getListenErrorMessage({ host, port, settings }: ListenAddress, code: string): string {
  const settingMessage = `${settings.port}: cannot listen on ${host}:${port} (${code}).`
  if (code === 'EADDRINUSE')
    return `${settingMessage} Another process uses that port: stop it, or set another ${settings.port}.`
  if (code === 'EACCES') return `${settingMessage} This user may not use that port: set a ${settings.port} above 1023.`
  if (/^(?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|EINVAL)$/.test(code))
    return `${settings.host}: ${host} is not an address of this machine (${code}).`
  return settingMessage
}
