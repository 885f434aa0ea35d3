import * as v from 'valibot'
import { isOrigin, port as portSchema, type SettingsReader, readSetting } from './setting.ts'

/** Settings of the staff desk. `url` is the origin that staff see; `null` stands for the listening address. */
export type DeskConfig = { host: string; port: number; url: string | null }

/**
 * Reads the staff desk's settings, or returns `null` if the desk is off. In production, the desk needs both DESK_PORT and DESK_URL. A port
 * alone does not turn it on, because a service unit may set DESK_PORT even for processes without a desk. In the demo, the desk is on unless
 * DESK_PORT is `off`. `taken` maps other listeners' setting names to their ports.
 */
export function buildDeskConfig(
  read: SettingsReader,
  mode: 'demo' | 'production',
  { host, taken }: { host: string; taken: Readonly<Record<string, number | null>> },
): DeskConfig | null {
  const { env, fault } = read
  const portSetting = env['DESK_PORT'] || (mode === 'demo' ? '0' : '')
  const url = env['DESK_URL'] || null
  if (portSetting === 'off' || (url === null && (mode === 'production' || portSetting === ''))) return null
  const parseResult = v.safeParse(portSchema, portSetting)
  if (!parseResult.success) fault('DESK_PORT must be a whole number from 0 to 65535, or off.')
  const port = parseResult.success ? parseResult.output : 0
  for (const [name, other] of Object.entries(taken))
    if (port !== 0 && port === other) fault(`DESK_PORT must be different from ${name}.`)
  return { host: env['DESK_HOST'] || host, port, url: readSetting(read, 'DESK_URL', createDeskUrlSchema(mode), null) }
}

const createDeskUrlSchema = (mode: 'demo' | 'production') =>
  v.pipe(
    v.string(),
    v.check(
      (url) => mode === 'demo' || url.startsWith('https://'),
      'must be an https:// address, because passkeys are tied to it.',
    ),
    v.check(isOrigin, 'must be an address without a path, such as https://desk.example.nz.'),
    v.transform((url) => new URL(url).origin),
  )
