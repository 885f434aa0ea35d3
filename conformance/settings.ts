import type { ReportFault } from '#kit/server/config/parse-json.ts'
import type { AccessService } from '#kit/server/config/access.ts'
import { readSetting } from '#kit/server/config/setting.ts'
import { isUnencryptedHttp, settingSchemas } from '#kit/server/config/setting-schemas.ts'

export type Settings = Readonly<Record<string, string>>

export function checkSettings(
  settings: Settings,
  { needed, optional, fault }: { needed: readonly string[]; optional: readonly string[]; fault: ReportFault },
): void {
  for (const name of needed) if (!settings[name]) fault(`settings: ${name} is missing.`)
  for (const [name, value] of Object.entries(settings)) {
    if (!needed.includes(name) && !optional.includes(name)) fault(`settings: ${name} is unknown.`)
    const schema = Object.hasOwn(settingSchemas, name) ? settingSchemas[name] : undefined
    if (schema) readSetting({ env: settings, fault: (line) => fault(`settings: ${line}`) }, name, schema, null)
    if (name.endsWith('_URL') && isUnencryptedHttp(value))
      fault(`settings: ${name} must start with https://. Plain http is for an address of this machine only.`)
  }
}

const accessSettingSuffixes = [
  'AUTH',
  'API_KEY',
  'API_KEY_HEADER',
  'USER',
  'PASSWORD',
  'TOKEN_URL',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'CLIENT_AUTH',
  'SCOPE',
  'TLS_CERT',
  'TLS_KEY',
  'TLS_CA',
]

export const listAccessSettings = (service: AccessService): string[] =>
  accessSettingSuffixes.map((part) => `${service}_${part}`)
