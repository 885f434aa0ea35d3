import type { Reading } from './reading.ts'
import { anHttpAddress } from './shape.ts'

/** Where the staff's desk listens, and the origin that its people see; `url` null: where it listens on this machine. */
export type DeskConfig = { host: string; port: number; url: string | null }

/**
 * Null where it is off: in production unless both settings are there (a unit may name each process's port whether or not there is a
 * desk), in the demo only when DESK_PORT says `off`.
 * `taken`: the ports of others, by their setting.
 */
export function deskConfig(
  { env, fault }: Reading,
  mode: 'demo' | 'production',
  { host, taken }: { host: string; taken: Readonly<Record<string, number | null>> },
): DeskConfig | null {
  const asked = env['DESK_PORT'] || (mode === 'demo' ? '0' : '')
  const url = env['DESK_URL'] || null
  if (asked === 'off' || (url === null && (mode === 'production' || asked === ''))) return null
  const port = /^\d{1,5}$/.test(asked) ? Number(asked) : Number.NaN
  if (!(port <= 65_535)) fault('DESK_PORT must be a whole number from 0 to 65535, or off.')
  for (const [name, other] of Object.entries(taken))
    if (port !== 0 && port === other) fault(`DESK_PORT must not be the port of ${name}.`)
  if (mode === 'production' && !url?.startsWith('https://'))
    fault('DESK_URL must be an address that starts with https://: passkeys belong to it.')
  else if (url !== null && (!anHttpAddress.is(url) || new URL(url).href !== `${new URL(url).origin}/`))
    fault('DESK_URL must be an address without a path, such as https://desk.example.nz.')
  return { host: env['DESK_HOST'] || host, port, url: url && URL.canParse(url) ? new URL(url).origin : null }
}
