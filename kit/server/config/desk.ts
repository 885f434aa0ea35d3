import * as v from 'valibot'
import { isOrigin, port as portSchema, type Reading, readSetting } from './setting.ts'

/** Where the staff's desk listens, and the origin that its people see; `url` null: where it listens on this machine. */
export type DeskConfig = { host: string; port: number; url: string | null }

/**
 * Null where it is off: in production unless both settings are there (a unit may name each process's port whether or not there is a
 * desk), in the demo only when DESK_PORT says `off`.
 * `taken`: the ports of others, by their setting.
 */
export function deskConfig(
  read: Reading,
  mode: 'demo' | 'production',
  { host, taken }: { host: string; taken: Readonly<Record<string, number | null>> },
): DeskConfig | null {
  const { env, fault } = read
  const asked = env['DESK_PORT'] || (mode === 'demo' ? '0' : '')
  const url = env['DESK_URL'] || null
  if (asked === 'off' || (url === null && (mode === 'production' || asked === ''))) return null
  const parsed = v.safeParse(portSchema, asked)
  if (!parsed.success) fault('DESK_PORT must be a whole number from 0 to 65535, or off.')
  const port = parsed.success ? parsed.output : 0
  for (const [name, other] of Object.entries(taken))
    if (port !== 0 && port === other) fault(`DESK_PORT must not be the port of ${name}.`)
  return { host: env['DESK_HOST'] || host, port, url: readSetting(read, 'DESK_URL', urlSchema(mode), null) }
}

const urlSchema = (mode: 'demo' | 'production') =>
  v.pipe(
    v.string(),
    v.check(
      (url) => mode === 'demo' || url.startsWith('https://'),
      'must be an address that starts with https://: passkeys belong to it.',
    ),
    v.check(isOrigin, 'must be an address without a path, such as https://desk.example.nz.'),
    v.transform((url) => new URL(url).origin),
  )
