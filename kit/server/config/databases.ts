import * as v from 'valibot'
import { parseHosts } from '../database-hosts.ts'
import { oneOf, type SettingsReader, readSetting } from './setting.ts'

export type DatabaseSettings = {
  /** URL of the PostgreSQL database; `null` selects the embedded database. */
  databaseUrl: string | null
  /** URL of the same database for the role that owns its tables. */
  migrationDatabaseUrl: string | null
  /** Whether connections use prepared statements. Turn them off behind a pooler that shares sessions and does not support them. */
  keepsStatements: boolean
}

export function readDatabaseSettings(read: SettingsReader): DatabaseSettings {
  const [ours, owners] = [readDatabaseUrl(read, 'DATABASE_URL'), readDatabaseUrl(read, 'MIGRATION_DATABASE_URL')]
  if (owners && !ours) read.fault('MIGRATION_DATABASE_URL needs DATABASE_URL, which is missing.')
  const preparedStatementsSetting = readSetting(read, 'DATABASE_PREPARED_STATEMENTS', oneOf(['on', 'off']), 'on')
  return { databaseUrl: ours, migrationDatabaseUrl: owners, keepsStatements: preparedStatementsSetting === 'on' }
}

const databaseUrlSchema = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://.'),
  v.rawCheck(({ dataset, addIssue }) => {
    const hosts = parseHosts(String(dataset.value))
    if ('fault' in hosts) addIssue({ message: hosts.fault })
  }),
)

function readDatabaseUrl(read: SettingsReader, name: string): string | null {
  readSetting(read, name, databaseUrlSchema, null)
  // Return even an invalid address, so that the setting is not also reported as missing.
  return read.env[name] || null
}
